import { describe, expect, it } from "vitest";
import { makeFigure } from "../../components/figure";
import { printWords, promiseWords } from "./corrected-section";
import { planWords } from "./plan-section";

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
  it("is the interval, and nothing of single answers", () => {
    const words = promiseWords({ judges: [JUDGE], rows: [ROW] });
    expect(words).toMatch(/^Promised: in 95 of 100 studies/);
    expect(words).toContain("Not promised: anything of a single answer");
  });

  it("is nothing while the sample is open, or where somebody chose it", () => {
    for (const [why, reason] of [
      ["sample_open", "People have not decided every answer that was drawn"],
      ["sample_chosen", "The judged questions were chosen, not drawn at random"],
    ] as const) {
      const rows = [{ ...ROW, people: makeFigure(null, { why }) }];
      expect(promiseWords({ judges: [JUDGE], rows })).toContain(`Nothing is promised yet. ${reason}`);
    }
  });
});

describe("which scores to print", () => {
  const other = { ...JUDGE, key: "bem", name: "BEM" };
  const board = { judges: [JUDGE, other], chosen: "learned", has_prejudged: true };

  it("are those that the leaderboard has, by the judge that corrects it", () => {
    expect(printWords(board, JUDGE)).toContain("the same number as in the leaderboard’s");
    expect(printWords(board, other)).toContain("corrected with Learned judge, as on the leaderboard");
  });

  it("are the leaderboard’s alone where rules are corrected and no judge", () => {
    expect(printWords({ ...board, chosen: "" }, JUDGE)).toContain("which corrects what the rules said");
  });
});

describe("the plan", () => {
  it("says how many labels, how many without the judge, and that the saving is expected", () => {
    expect(planWords(PLAN)).toMatch(
      /^For ± 2\.0 points on every system, people need to judge about 300 more questions: 300 in all, with about 900 labels\. Without Learned judge it would take 1,000 questions: an expected saving of 70\s%\./,
    );
    expect(planWords(PLAN)).toContain("an expectation, not a promise");
  });

  it("promises nothing of a judge that is no better than what it judges", () => {
    expect(planWords({ ...PLAN, is_better: false })).toContain("No saving is promised");
  });

  it("starts from what is there", () => {
    const reached = planWords({ ...PLAN, points: 5, now: 4.3 });
    expect(reached).toBe("Already reached. The least sure system’s interval is ± 4.3 points now.");
    expect(planWords({ ...PLAN, now: 4.3 })).toMatch(
      /^The least sure .* 4\.3 points now\. For ± 2\.0 points/,
    );
  });

  it("draws no questions where rules settled answers, and says what narrows intervals there", () => {
    const words = planWords({ ...PLAN, now: 4.3, has_prejudged: true });
    expect(words).toContain("It takes a larger audit");
    expect(words).not.toContain("more questions: ");
  });

  it("says why there is none", () => {
    const none = { ...PLAN, questions: 0, why: "no_judge_of_all" } as const;
    expect(planWords(none)).toMatch(/^No judge has judged every answer yet/);
  });
});
