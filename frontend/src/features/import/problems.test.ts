import { describe, expect, it } from "vitest";
import { lineWords } from "./states";

describe("line numbers", () => {
  it("join runs and count what is left out", () => {
    expect(lineWords([3, 7, 8, 9])).toBe("3, 7–9");
    expect(lineWords([1, 3, 5, 7, 8], 5, 2)).toBe("1, 3 and 3 more");
    expect(lineWords([1, 2, 3], 95)).toBe("1–3 and 92 more");
  });
});
