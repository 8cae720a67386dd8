import { describe, expect, it } from "vitest";
import { type Command, repeatedKeys } from "./commands";
import { chooseKey, hasChosenKeys, restoreKeys, withChosenKeys } from "./key-settings";

const COMMANDS: readonly Command[] = [
  { id: "skip", label: "Skip", keys: ["s"], run: () => undefined },
  { id: "undo", label: "Undo", keys: ["u", "mod+z"], run: () => undefined },
];

function keysOf(id: string) {
  return withChosenKeys(COMMANDS).find((command) => command.id === id)?.keys;
}

function choose(id: string, key: string) {
  return chooseKey(withChosenKeys(COMMANDS), id, key);
}

describe("chooseKey", () => {
  it("puts a chosen key in the place of the printed one", () => {
    expect(choose("undo", "b")).toBeNull();
    expect(keysOf("undo")).toEqual(["b", "mod+z"]);
  });

  it("refuses a key that another command has, and says which", () => {
    expect(choose("undo", "s")?.label).toBe("Skip");
    expect(keysOf("undo")).toEqual(["u", "mod+z"]);
    expect(keysOf("skip")).toEqual(["s"]);
  });

  it("takes a key that its command has left", () => {
    choose("skip", "x");
    expect(choose("undo", "s")).toBeNull();
    expect(repeatedKeys(withChosenKeys(COMMANDS))).toEqual([]);
    expect(keysOf("undo")).toEqual(["s", "mod+z"]);
  });

  it("keeps keys unique where another page's choice collides", () => {
    chooseKey([], "of-another-page", "s");
    expect(keysOf("skip")).toEqual([]);
  });
});

describe("restoreKeys", () => {
  it("gives all printed keys back", () => {
    choose("undo", "b");
    choose("skip", "u");
    expect(hasChosenKeys(COMMANDS)).toBe(true);
    restoreKeys(COMMANDS);
    expect([keysOf("undo"), keysOf("skip")]).toEqual([["u", "mod+z"], ["s"]]);
    expect(hasChosenKeys(COMMANDS)).toBe(false);
  });
});
