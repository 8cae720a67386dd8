import { describe, expect, it } from "vitest";
import { ac1Words } from "./words";

describe("what Gwet’s AC1 counts", () => {
  it("is the protocol’s labels, and “no vote” as one more only where a vote is missing", () => {
    const wordsOf = (distribution: Record<string, number>) => ac1Words({ distribution });
    expect(wordsOf({ correct: 6, incorrect: 6 })).toBe("AC1 uses 2 labels.");
    expect(wordsOf({ correct: 6, incorrect: 0, missing: 0 })).toBe("AC1 uses 2 labels.");
    expect(wordsOf({ correct: 6, incorrect: 5, missing: 1 })).toBe(
      "AC1 uses 3 labels. “No vote” is one of them and raises AC1. To use 2 labels, leave out answers with missing votes.",
    );
  });
});
