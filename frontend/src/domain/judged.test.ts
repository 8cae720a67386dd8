import { describe, expect, it } from "vitest";
import { partlyJudgedWords, questionsWords } from "./judged";

describe("a study in which programs settled answers", () => {
  it("does not say that exact match counts for the rest", () => {
    const words = partlyJudgedWords({ n_questions: 300, judged_questions: 60, programs_share: 0.9 });
    expect(words).toMatch(/^People have judged 60 of 300 questions\. Automatic judges settled 90\.0% of/);
  });
});

const over = (judged_questions: number) => ({ n_questions: 3610, judged_questions });

describe("questions that people judged", () => {
  it("are counted beside all where they are fewer", () => {
    expect(questionsWords(over(301))).toBe("3,610 questions, 301 of them judged by people");
    expect(partlyJudgedWords(over(301))).toBe(
      "People have judged 301 of 3,610 questions so far. Answers to the other questions are scored by exact match with amended gold.",
    );
  });

  it("are scored by exact match only in scores that say so", () => {
    expect(partlyJudgedWords(over(301), { isMatched: false })).toBe(
      "People have judged 301 of 3,610 questions so far.",
    );
  });

  it("need no word where all are judged, or where nobody has begun", () => {
    for (const judged of [0, 3610]) {
      expect(questionsWords(over(judged))).toBe("3,610 questions");
      expect(partlyJudgedWords(over(judged))).toBe("");
    }
  });
});
