import { describe, expect, it } from "vitest";
import type { Replacement } from "../../../api/schema";
import { makeFigure } from "../../../components/figure";
import { reasonOf } from "./replacement-words";

const RATER = { rater: "A", shared: 40, judge_ahead: 0.9, rater_ahead: 0.95, p_value: 0.01, is_level: true };

function judge(more: Partial<Replacement>): Replacement {
  return {
    run: "r1",
    name: "BEM",
    replaces: "yes",
    figures: { winning_rate: makeFigure(0.75), advantage: makeFigure(0.9) },
    compared: 4,
    won: 3,
    won_together: 3,
    raters: [RATER, RATER, RATER, RATER],
    ...more,
  };
}

const wordsOf = (more: Partial<Replacement>) =>
  reasonOf(judge(more), { epsilon: 0.15, judges: [judge({}), judge({})] });

describe("why a judge may replace a person, or not", () => {
  it("says of how many raters it is behind by less than ε", () => {
    expect(wordsOf({})).toBe("it is surely less than 15 points behind 3 of 4 raters");
  });

  it("says how many were needed", () => {
    expect(wordsOf({ replaces: "no", won: 1 })).toBe(
      "it is surely less than 15 points behind only 1 of 4 raters, and half of them are needed",
    );
  });

  it("tells a judge that chance may have picked from one that fails by itself", () => {
    expect(wordsOf({ replaces: "chance", won: 2, won_together: 1 })).toBe(
      "it is less than 15 points behind 2 of 4 raters by its own tests, but only 1 where the tests of all 2 judges are corrected together, as whoever picks one of many must",
    );
  });

  it("says what votes lack", () => {
    const few = { replaces: "few_votes", won: 0 } as const;
    expect(wordsOf({ ...few, raters: [], compared: 3 })).toBe(
      "none of 3 raters shared 30 answers with another rater and this judge, and three are needed",
    );
    expect(wordsOf({ ...few, raters: [RATER, RATER], compared: 2 })).toBe(
      "only 2 of 2 raters shared 30 answers with another rater and this judge, and three are needed",
    );
    expect(wordsOf({ ...few, raters: [], compared: 0 })).toBe(
      "it has judged no answer that two raters judged",
    );
  });
});
