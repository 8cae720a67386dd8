import { describe, expect, it } from "vitest";
import { PROGRESS } from "../../test/judging-cast";
import { nextStep, sheetsWanted } from "./desk";

function wanted(left_questions: number, median_seconds: number | null = null) {
  return sheetsWanted({ ...PROGRESS, left_questions, median_seconds });
}

describe("sheetsWanted", () => {
  it("is enough for twenty sheets without a network in the midst of a study", () => {
    expect(wanted(300)).toBe(24);
    expect(wanted(300, 6)).toBe(24);
  });

  it("leaves the last questions to whoever comes first", () => {
    expect(wanted(30)).toBe(10);
    expect(wanted(4)).toBe(3);
  });

  it("takes no more than a slow annotator gets through before the lease ends", () => {
    expect(wanted(300, 120)).toBe(6);
    expect(wanted(300, 900)).toBe(3);
  });
});

describe("nextStep", () => {
  const progress = { ...PROGRESS, left_questions: 300 };

  it("goes up a few at a time", () => {
    expect(nextStep(3, progress)).toBe(9);
    expect(nextStep(20, progress)).toBe(24);
  });

  it("rests while enough lie ready", () => {
    expect(nextStep(21, progress)).toBe(0);
    expect(nextStep(3, { ...progress, left_questions: 6 })).toBe(0);
  });
});
