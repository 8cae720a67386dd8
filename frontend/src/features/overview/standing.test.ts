import { describe, expect, it } from "vitest";
import type { Overview } from "../../api/schema";
import { makeOverview } from "../../test/lead-cast";
import { settledWords } from "./known-section";
import { standingWords } from "./standing";

const DECIDED = {
  stages: [{ key: "decided", name: "Decided", count: 1490 }],
  questions: 301,
  asked_questions: 301,
  answers: 1490,
};
const overview = (more: Partial<Overview> = {}) => makeOverview({ ...DECIDED, ...more });

describe("where a study stands", () => {
  it("is said of all answers and questions once they are decided", () => {
    expect(standingWords(overview())).toBe("All 1,490 distinct answers to 301 questions are decided.");
    const one = { stages: [{ key: "decided", name: "Decided", count: 1 }], answers: 1 };
    expect(standingWords(overview(one))).toBe("The only answer is decided.");
    expect(standingWords(overview({ ...one, answers: 2 }))).toMatch(
      /^1 of 2 distinct answers .* is decided\.$/,
    );
  });

  it("tells questions whose answers people judge from all that were imported", () => {
    expect(standingWords(overview({ questions: 3610, left_out: 2 }))).toBe(
      "All 1,490 distinct answers to 301 of 3,610 questions are decided. The other questions have no answer for people to judge. Annotators excluded 2 questions from all scores.",
    );
  });

  it("says how much is decided", () => {
    expect(standingWords(overview({ answers: 2000 }))).toBe(
      "1,490 of 2,000 distinct answers to 301 questions are decided.",
    );
    expect(standingWords(overview({ answers: 0 }))).toBe("Nothing has been imported yet.");
  });
});

describe("who decided", () => {
  it("is said of programs, of one annotator and a judge, and of people", () => {
    expect(settledWords(overview())).toBe("All by people.");
    expect(settledWords(overview({ settled_by_programs: 1200, settled_with_programs: 40 }))).toBe(
      "1,200 by automatic judges, 40 by one annotator in agreement with an automatic judge, 250 by people. The automatic judges’ verdicts may differ from what people would decide. The intervals for corrected scores on the leaderboard account for this; those for other scores do not.",
    );
    expect(settledWords(overview({ stages: [] }))).toBe("");
  });
});
