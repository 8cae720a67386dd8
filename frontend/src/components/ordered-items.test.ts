import { describe, expect, it } from "vitest";
import { moved, put, without } from "./ordered-items";

describe("a list changed at one place", () => {
  it("changes places with the neighbour and leaves the ends where they are", () => {
    expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
  });

  it("keeps what is not named", () => {
    expect(
      put(
        [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
        1,
        { b: 5 },
      ),
    ).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 5 },
    ]);
    expect(without(["a", "b"], 0)).toEqual(["b"]);
  });
});
