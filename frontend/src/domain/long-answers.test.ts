import { describe, expect, it } from "vitest";
import { longAnswersWords } from "./long-answers";

const system = (label: string, median_words: number) => ({
  label,
  median_words,
  has_long_answers: median_words > 5,
});

describe("answers too long for exact match", () => {
  it("are named by their systems, with how long they are", () => {
    expect(longAnswersWords([system("FiD", 2), system("GPT-4", 31), system("Bing", 20.5)])).toMatch(
      /^Most answers by GPT-4 \(median 31 words\) and Bing \(median 20.5 words\) are longer than gold/,
    );
  });

  it("are counted where many systems give them", () => {
    const many = ["A", "B", "C", "D", "E", "F"].map((label) => system(label, 9));
    expect(longAnswersWords(many)).toMatch(/D \(median 9 words\) and 2 more are longer/);
  });

  it("need no word where answers are short", () => {
    expect(longAnswersWords([system("FiD", 2)])).toBe("");
  });
});
