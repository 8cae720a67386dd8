import { describe, expect, it } from "vitest";
import { withKeys } from "./draft";

describe("withKeys", () => {
  const keysOf = (...items: { key: string; name: string }[]) =>
    withKeys(items, (item) => item.name).map(({ key }) => key);

  it("makes keys of names for what is new and leaves the others", () => {
    expect(keysOf({ key: "correct", name: "Right" }, { key: "", name: "Très bon!" })).toEqual([
      "correct",
      "tres_bon",
    ]);
  });

  it("never gives a key twice", () => {
    expect(
      keysOf({ key: "maybe", name: "x" }, { key: "", name: "Maybe" }, { key: "", name: "maybe?" }),
    ).toEqual(["maybe", "maybe_2", "maybe_3"]);
  });

  it("finds one for names without a letter it can use", () => {
    expect(keysOf({ key: "", name: "正解" })).toEqual(["choice"]);
  });
});
