import { describe, expect, it } from "vitest";
import { makeFigure } from "../../components/figure";
import { differenceWords, printWords, promiseWords } from "./corrected-section";
import { planWords, replacedWords } from "./plan-section";

const JUDGE = { key: "learned", name: "Learned judge", signature: "learned", why: null };
const ROW = { system: "a", label: "A", n: 100, labels: 40, people: makeFigure(0.8), scores: {} };
const PLAN = {
  points: 2,
  judge: "Learned judge",
  questions: 300,
  answers: 900,
  already: 0,
  plain: 1000,
  saving: 0.7,
  reached: 1.9,
  is_better: true,
  why: null,
  now: null,
  has_prejudged: false,
};

describe("what is promised of corrected scores", () => {
  it("is the interval, and nothing of individual answers", () => {
    const words = promiseWords({ judges: [JUDGE], rows: [ROW] });
    expect(words).toMatch(/^In 95 of 100 studies/);
    expect(words).toContain("does not cover individual answers");
    expect(words).toContain("Each interval applies to one system. To say which systems differ, use");
    expect(words).toContain("not the truth");
  });

  it("is nothing while the sample is open, or where somebody chose it", () => {
    for (const [why, reason] of [
      ["sample_open", "People have not decided every sampled answer yet"],
      ["sample_chosen", "The judged questions were selected, not sampled at random"],
    ] as const) {
      const rows = [{ ...ROW, people: makeFigure(null, { why }) }];
      expect(promiseWords({ judges: [JUDGE], rows })).toContain(`There is no guarantee yet. ${reason}`);
    }
  });
});

describe("which scores to print", () => {
  const other = { ...JUDGE, key: "bem", name: "BEM" };
  const board = { judges: [JUDGE, other], chosen: "learned", has_prejudged: true };

  it("are those that the leaderboard has, by the judge that corrects it", () => {
    expect(printWords(board, JUDGE)).toContain("the same as in the leaderboard’s");
    expect(printWords(board, other)).toContain("corrected with Learned judge, as on the leaderboard");
  });

  it("are the leaderboard’s alone where rules are corrected and no judge", () => {
    expect(printWords({ ...board, chosen: "" }, JUDGE)).toContain(
      "which are corrected for errors in the labels that the rules assigned",
    );
  });
});

describe("people’s labels alone beside the corrected score", () => {
  const rowOf = (label: string, corrected: number) => ({
    ...ROW,
    label,
    people: makeFigure(0.8, { low: 0.7, high: 0.9 }),
    scores: { learned: { judge: makeFigure(0.8), corrected: makeFigure(corrected), worth: 60 } },
  });

  it("differ by chance, and enough to worry where the one lies outside the interval of the other", () => {
    expect(differenceWords({ rows: [rowOf("A", 0.89), rowOf("B", 0.7)] }, JUDGE)).toMatch(
      /differ by chance.*outside the “People only, weighted” interval.*No system here has such a score\.$/,
    );
    expect(differenceWords({ rows: [rowOf("A", 0.91), rowOf("B", 0.69)] }, JUDGE)).toContain(
      "Here, this applies to A and B. Check how",
    );
  });

  it("are not compared before both are known", () => {
    expect(differenceWords({ rows: [ROW] }, JUDGE)).toBe("");
  });
});

describe("the plan", () => {
  it("says how many labels, how many without the judge, and that the saving is expected", () => {
    expect(planWords(PLAN)).toMatch(
      /^To reach ±2\.0 points for every system, people need to judge about 300 questions sampled at random, with about 900 labels\. Questions that were not sampled at random do not count\. Without Learned judge, people would need to judge 1,000 questions\. The expected savings are 70%\./,
    );
    expect(planWords(PLAN)).toContain("not guaranteed");
    expect(planWords({ ...PLAN, already: 100 })).toContain(
      "about 200 more questions. In total, this is 300 questions, with about 900 labels.",
    );
  });

  it("says that it would replace questions that somebody chose, and only these", () => {
    const sample = {
      ...{ questions: 3610, predictions: 36702, answers: 12345, sampled: 301, judged: 0 },
      ...{ options: {}, to_judge: { every: 0, common: 0, judged: 0 }, matching: null },
    };
    expect(replacedWords({ ...sample, method: "common" })).toMatch(
      /^People currently judge 301 questions that you chose\. .* all 3,610 questions, so it would replace your choice\./,
    );
    expect(replacedWords({ ...sample, method: "seed", options: { common: true } })).not.toBe("");
    expect(replacedWords({ ...sample, method: "seed", options: { seed: 1, size: 301 } })).toBe("");
    expect(replacedWords({ ...sample, method: "strata" })).toBe("");
    expect(replacedWords({ ...sample, method: "all", sampled: 3610 })).toBe("");
  });

  it("speaks of no saving where there is none", () => {
    const words = planWords({ ...PLAN, saving: 0 });
    expect(words).toContain("so the judge saves no labels.");
    expect(words).not.toContain("guaranteed");
  });

  it("promises nothing of a judge that is no better than what it judges", () => {
    expect(planWords({ ...PLAN, is_better: false })).toContain("There may be no savings");
  });

  it("starts from what is there", () => {
    const reached = planWords({ ...PLAN, points: 5, now: 4.3 });
    expect(reached).toBe(
      "This precision has already been reached. Currently, the widest interval for any system is ±4.3 points.",
    );
    expect(planWords({ ...PLAN, now: 4.3 })).toMatch(
      /^Currently, the widest interval .*±4\.3 points\. To reach ±2\.0 points/,
    );
  });

  it("draws no questions where rules settled answers, and says what narrows intervals there", () => {
    const words = planWords({ ...PLAN, now: 4.3, has_prejudged: true });
    expect(words).toContain("only a larger audit would narrow the interval");
    expect(words).not.toContain("more questions: ");
  });

  it("says why there is none", () => {
    const none = { ...PLAN, questions: 0, why: "no_judge_of_all" } as const;
    expect(planWords(none)).toMatch(/^No judge has judged every answer yet/);
    // Nothing is said of what more labels would bring.
    expect(planWords({ ...none, questions: 300 })).not.toContain("To reach");
  });
});
