import { describe, expect, it } from "vitest";
import { type Command, findCommand, keyNames, keyToKeep, keyWords, repeatedKeys } from "./commands";

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

describe("a French keyboard", () => {
  const labels = ["1", "2", "3", "4", "5"].map((digit) => command(`label-${digit}`, digit));
  const letters = [command("take back", "mod+z"), command("comment", "c"), command("help", "?")];
  // What AZERTY prints on the unshifted digits, as `event.key` and `event.code` report it.
  const printed = ["&", "é", '"', "'", "("];

  it.each(printed.map((key, index) => [key, index + 1]))("labels with %s as with %d", (key, digit) => {
    expect(findCommand(labels, press(String(key), `Digit${digit}`))?.id).toBe(`label-${digit}`);
  });

  it.each([1, 2, 3, 4, 5])("labels with Shift and with Caps Lock, which print %d", (digit) => {
    const shifted = press(String(digit), `Digit${digit}`, { shiftKey: true });
    expect(findCommand(labels, shifted)?.id).toBe(`label-${digit}`);
    expect(findCommand(labels, press(String(digit), `Digit${digit}`))?.id).toBe(`label-${digit}`);
  });

  it("finds letters by what is printed on them, wherever they are", () => {
    expect(findCommand(letters, press("z", "KeyW", { ctrlKey: true }))?.id).toBe("take back");
    expect(findCommand(letters, press("?", "KeyM", { shiftKey: true }))?.id).toBe("help");
  });

  it("keeps a chosen digit as the digit, so that it works on every layout", () => {
    expect(keyToKeep(press("à", "Digit0"))).toBe("0");
    expect(keyToKeep(press("ù", "Quote"))).toBe("ù");
  });
});

describe("keyToKeep", () => {
  it("takes characters and a few named keys", () => {
    expect(
      [press("B", "KeyB"), press("ArrowLeft"), press("F2"), press("7", "Numpad7")].map(keyToKeep),
    ).toEqual(["b", "ArrowLeft", "F2", "7"]);
  });

  it.each(["Escape", "Tab", "Backspace", "Delete", " ", "Shift", "Dead", "CapsLock"])("refuses %s", (key) => {
    expect(keyToKeep(press(key))).toBeNull();
  });

  it("leaves combinations to the browser", () => {
    expect(keyToKeep(press("w", "KeyW", { ctrlKey: true }))).toBeNull();
    expect(keyToKeep(press("w", "KeyW", { altKey: true }))).toBeNull();
  });
});

describe("findCommand", () => {
  it("does not take a number block without Num Lock for digits", () => {
    expect(findCommand([command("label-1", "1")], press("End", "Numpad1"))).toBeNull();
  });

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
