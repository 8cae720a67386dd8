import { describe, expect, it } from "vitest";
import { toggled } from "../../components/form";

describe("the members of a jury", () => {
  it("stand in the order in which they were chosen", () => {
    expect(toggled(toggled([], "b"), "a")).toEqual(["b", "a"]);
  });

  it("leave when chosen again", () => {
    expect(toggled(["b", "a"], "b")).toEqual(["a"]);
    expect(toggled(["a"], "a")).toEqual([]);
  });
});
