import { describe, expect, it } from "vitest";
import type { ComparedPair } from "../../api/schema";
import { pairWords } from "./pairs";
import { makeFigure } from "../../components/figure";

const A = { system: "a", label: "Alpha" };
const B = { system: "b", label: "Beta" };
const PEOPLE = { name: "People" };

const between = (value: number, low: number, high: number) => makeFigure(value, { low, high });

function pair(more: Partial<ComparedPair>): ComparedPair {
  return {
    first: "a",
    second: "b",
    rows: 301,
    difference: between(0.05, 0.01, 0.09),
    p_value: 0.02,
    is_distinguishable: true,
    first_only: 20,
    second_only: 5,
    mcnemar_p: 0.01,
    ...more,
  };
}

describe("two systems in a sentence", () => {
  it("names the better one first, with the interval in its direction", () => {
    expect(pairWords(A, B, PEOPLE, pair({}))).toBe(
      "People: Alpha is 5.0 points above Beta, interval from +1.0 to +9.0 for this pair alone; significant difference (p = 0.020, corrected for all pairs) on 301 questions. Only Alpha is correct on 20 questions, and only Beta on 5 (McNemar’s exact test, uncorrected: p = 0.010).",
    );
    expect(pairWords(A, B, PEOPLE, pair({ difference: between(-0.05, -0.09, 0.01) }))).toContain(
      "Beta is 5.0 points above Alpha, interval from −1.0 to +9.0",
    );
  });

  it("says the same whichever was chosen first", () => {
    expect(pairWords(B, A, PEOPLE, pair({}))).toBe(pairWords(A, B, PEOPLE, pair({})));
  });

  it("calls equal scores level, and says that chance cannot be told from a difference", () => {
    const level = pair({
      difference: between(0, -0.02, 0.02),
      p_value: 1,
      is_distinguishable: false,
      mcnemar_p: null,
    });
    expect(pairWords(A, B, PEOPLE, level)).toBe(
      "People: Alpha and Beta have equal scores (0.0 points apart), interval from −2.0 to +2.0 for this pair alone; no significant difference (p = 1.000, corrected for all pairs) on 301 questions.",
    );
  });

  it("counts for McNemar’s test in the order of the sentence", () => {
    expect(
      pairWords(
        A,
        B,
        PEOPLE,
        pair({ difference: between(-0.05, -0.09, 0.01), first_only: 1, second_only: 16 }),
      ),
    ).toContain(
      "Only Beta is correct on 16 questions, and only Alpha on 1 (McNemar’s exact test, uncorrected: p = 0.010).",
    );
    expect(pairWords(A, B, PEOPLE, pair({ mcnemar_p: 0.00001 }))).toContain("uncorrected: p < 0.001).");
  });

  it("has no McNemar’s test of mean scores", () => {
    const means = pair({ first_only: null, second_only: null, mcnemar_p: null });
    expect(pairWords(A, B, PEOPLE, means)).not.toContain("McNemar");
  });

  it("says why there is no difference", () => {
    const none = pair({ difference: makeFigure(null, { why: "nothing_shared" }) });
    expect(pairWords(A, B, PEOPLE, none)).toBe("People: No answer has both scores to compare.");
  });
});
