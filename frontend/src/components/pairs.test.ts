import { describe, expect, it } from "vitest";
import { pairsByEnds } from "./pair-grid";

describe("a pair", () => {
  const between = pairsByEnds(
    [
      { ends: ["a b", "c"] as const, value: 1 },
      { ends: ["a", "b c"] as const, value: 2 },
    ],
    ({ ends }) => ends,
  );

  it("is found by its ends in either order", () => {
    expect(between("a b", "c")?.value).toBe(1);
    expect(between("c", "a b")?.value).toBe(1);
  });

  it("is told from another whose names read alike in a row", () => {
    expect(between("a", "b c")?.value).toBe(2);
  });

  it("may not be there", () => {
    expect(between("a", "c")).toBeUndefined();
  });
});
