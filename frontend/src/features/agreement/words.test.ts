import { describe, expect, it } from "vitest";
import { ac1Words } from "./words";

describe("what Gwet’s AC1 counts", () => {
  it("is the protocol’s labels, and “no vote” as one more only where a vote is missing", () => {
    const wordsOf = (distribution: Record<string, number>) => ac1Words({ distribution });
    expect(wordsOf({ correct: 6, incorrect: 6 })).toBe("It counts 2 labels.");
    expect(wordsOf({ correct: 6, incorrect: 0, missing: 0 })).toBe("It counts 2 labels.");
    expect(wordsOf({ correct: 6, incorrect: 5, missing: 1 })).toBe(
      "It counts 3 labels, “no vote” among them, which raises it; leave such answers out to count 2.",
    );
  });
});
