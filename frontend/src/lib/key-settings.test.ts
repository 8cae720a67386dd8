import { describe, expect, it } from "vitest";
import { type Command, repeatedKeys } from "./commands";
import { chooseKey, withChosenKeys } from "./key-settings";

const COMMANDS: readonly Command[] = [
  { id: "skip", label: "Skip", keys: ["s"], run: () => undefined },
  { id: "undo", label: "Undo", keys: ["u", "mod+z"], run: () => undefined },
];

function keysOf(id: string) {
  return withChosenKeys(COMMANDS).find((command) => command.id === id)?.keys;
}

describe("withChosenKeys", () => {
  it("puts a chosen key in the place of the printed one", () => {
    chooseKey("undo", "b");
    expect(keysOf("undo")).toEqual(["b", "mod+z"]);
  });

  it("takes a key away from the command that had it, so that keys stay unique", () => {
    chooseKey("undo", "s");
    expect(keysOf("skip")).toEqual([]);
    expect(repeatedKeys(withChosenKeys(COMMANDS))).toEqual([]);
  });

  it("restores the printed key", () => {
    chooseKey("undo", "b");
    chooseKey("undo", null);
    expect(keysOf("undo")).toEqual(["u", "mod+z"]);
  });
});
