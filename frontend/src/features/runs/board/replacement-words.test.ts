import { describe, expect, it } from "vitest";
import type { Replacement } from "../../../api/schema";
import { makeFigure } from "../../../components/figure";
import { protocolWords, reasonOf, votesWords } from "./replacement-words";

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

describe("why a judge may replace an annotator, or not", () => {
  it("says of how many annotators it is behind by less than ε", () => {
    expect(wordsOf({})).toBe(
      "it trails an annotator by significantly less than 15 points in 3 of 4 comparisons",
    );
  });

  it("says how many were needed", () => {
    expect(wordsOf({ replaces: "no", won: 1 })).toBe(
      "it trails an annotator by significantly less than 15 points in only 1 of 4 comparisons, and at least half are required",
    );
  });

  it("tells a judge that chance may have picked from one that fails by itself", () => {
    expect(wordsOf({ replaces: "chance", won: 2, won_together: 1 })).toBe(
      "it trails an annotator by significantly less than 15 points in 2 of 4 comparisons before correction, but in only 1 after correction for testing all 2 judges",
    );
  });

  it("says what votes lack", () => {
    const few = { replaces: "few_votes", won: 0 } as const;
    expect(wordsOf({ ...few, raters: [], compared: 3 })).toBe(
      "none of 3 annotators have judged at least 30 answers that this judge and another annotator have also judged, and 3 such annotators are required",
    );
    expect(wordsOf({ ...few, raters: [RATER, RATER], compared: 2 })).toBe(
      "the votes of only 2 annotators count, and 3 are required",
    );
    expect(wordsOf({ ...few, raters: [], compared: 0 })).toBe(
      "it has no verdicts on answers that two annotators judged",
    );
  });
});

describe("why no judge can be tested", () => {
  it("says that votes of those who only break ties do not count", () => {
    expect(votesWords({ raters: 2, tie_breakers: 1 })).toBe(
      "The test needs 3 annotators who judged the same answers, but only 2 did. 1 more annotator only broke ties. Tie-break votes do not count, because they are cast only when annotators disagree.",
    );
    expect(votesWords({ raters: 2, tie_breakers: 0 })).toBe(
      "The test needs 3 annotators who judged the same answers, but only 2 did.",
    );
    expect(votesWords({ raters: 0, tie_breakers: 0 })).toBe(
      "The test needs 3 annotators who judged the same answers, but none did.",
    );
    expect(votesWords({ raters: 0, tie_breakers: 1 })).toMatch(
      /but none did\. 1 annotator only broke ties\./,
    );
    expect(votesWords({ raters: 3, tie_breakers: 1 })).toBeNull();
  });

  it("says what to change in a protocol with too few annotators per answer", () => {
    expect(protocolWords({ raters_per_answer: 2 })).toBe(
      "The protocol asks for 2 annotators per answer. To run the test, set “Annotators per answer” to 3.",
    );
    expect(protocolWords({ raters_per_answer: 3 })).toBeNull();
  });
});
