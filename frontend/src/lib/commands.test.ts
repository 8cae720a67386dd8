import { describe, expect, it } from "vitest";
import { type Command, findCommand, keyNames, keyWords, repeatedKeys } from "./commands";

function press(key: string, code = "", more: Partial<Parameters<typeof keyNames>[0]> = {}) {
  return { key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more };
}

function command(id: string, ...keys: string[]): Command {
  return { id, label: id, keys, run: () => undefined };
}

describe("keyNames", () => {
  it("reads digits by position where the layout prints other characters on them", () => {
    expect(keyNames(press("&", "Digit1"))).toContain("1");
    expect(keyNames(press("é", "Digit2"))).toContain("2");
  });

  it("follows the printed letter, so that a moved A is still an A", () => {
    expect(keyNames(press("a", "KeyQ"))).toEqual(["a"]);
  });

  it("falls back to the position where the layout has no Latin letters", () => {
    expect(keyNames(press("г", "KeyU"))).toContain("u");
  });

  it("does not take shifted digits for digits", () => {
    expect(keyNames(press("!", "Digit1", { shiftKey: true }))).toEqual(["!"]);
  });

  it("calls Ctrl and Cmd the same", () => {
    expect(keyNames(press("z", "KeyZ", { ctrlKey: true }))).toEqual(["mod+z"]);
    expect(keyNames(press("z", "KeyZ", { metaKey: true }))).toEqual(["mod+z"]);
  });

  it("leaves Alt to the browser and to layouts", () => {
    expect(keyNames(press("s", "KeyS", { altKey: true }))).toEqual([]);
  });
});

describe("findCommand", () => {
  it("keeps letters with Ctrl apart from letters alone", () => {
    const commands = [command("skip", "s"), command("save", "mod+s")];
    expect(findCommand(commands, press("s"))?.id).toBe("skip");
    expect(findCommand(commands, press("s", "KeyS", { ctrlKey: true }))?.id).toBe("save");
    expect(findCommand(commands, press("x"))).toBeNull();
  });
});

describe("repeatedKeys", () => {
  it("names keys that two commands claim", () => {
    expect(repeatedKeys([command("a", "1", "x"), command("b", "x")])).toEqual(["x"]);
    expect(repeatedKeys([command("a", "1"), command("b", "2")])).toEqual([]);
  });
});

describe("keyWords", () => {
  it("prints keys as people know them", () => {
    expect(["mod+z", "ArrowDown", "u"].map(keyWords)).toEqual(["Ctrl Z", "↓", "u"]);
  });
});
