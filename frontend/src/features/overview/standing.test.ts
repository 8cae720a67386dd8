import { describe, expect, it } from "vitest";
import type { Overview } from "../../api/schema";
import { makeOverview } from "../../test/lead-cast";
import { standingWords } from "./overview-page";

const DECIDED = {
  stages: [{ key: "decided", name: "Decided", count: 1490 }],
  questions: 301,
  asked_questions: 301,
  answers: 1490,
};
const overview = (more: Partial<Overview> = {}) => makeOverview({ ...DECIDED, ...more });

describe("where a study stands", () => {
  it("is said of all answers and questions once they are decided", () => {
    expect(standingWords(overview())).toBe("All 1,490 answers to 301 questions are decided.");
  });

  it("tells questions whose answers people judge from all that were imported", () => {
    expect(standingWords(overview({ questions: 3610, left_out: 2 }))).toBe(
      "All 1,490 answers to 301 of 3,610 questions are decided. The other questions have no answer for people to judge. Raters took 2 questions out of every score.",
    );
  });

  it("says how much of the work is left", () => {
    const open = { answers: 2000, forecast_seconds: 3600 };
    expect(standingWords(overview(open))).toMatch(/^1,490 of 2,000 answers to 301 questions are decided; at/);
    expect(standingWords(overview({ answers: 0 }))).toBe("Nothing has been imported yet.");
  });
});
