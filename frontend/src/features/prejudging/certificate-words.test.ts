import { describe, expect, it } from "vitest";
import type { CertificateLine } from "../../api/schema";
import {
  certificatesOf,
  certificateState,
  formatSureness,
  isCount,
  isLevel,
  judgmentsWords,
  levelsOf,
  nextWords,
  sampleWords,
} from "./certificate-words";

const SAMPLE = {
  id: "s",
  number: 2,
  drawn: 300,
  decided: 300,
  open: 0,
  waiting: 0,
  gone: 0,
  population: 2000,
  probability: 0.15,
  holds_others: false,
  drawn_by: "",
  drawn_at: "",
};

const CERTIFICATE = {
  id: "c",
  runs: ["a"],
  condition: "all_agree",
  by_score: true,
  threshold: 0.9,
  lapse: "",
} as unknown as CertificateLine;

describe("a calibration sample", () => {
  it("says how far people are, and what left it", () => {
    expect(sampleWords(SAMPLE)).toMatch(
      /^Sample 2: 300 answers, sampled at random .* Add a rule under “Policy,” choose its judge, then choose “Certify this rule\.”$/,
    );
    expect(sampleWords({ ...SAMPLE, decided: 100, open: 190, gone: 10 })).toMatch(
      /People have decided 100 of 290\..* 10 answers were removed from the sample/,
    );
  });

  it("asks for no certificate once there is one", () => {
    expect(nextWords([], false)).toMatch(/^Add a rule under “Policy,”/);
    expect(nextWords([{ ...CERTIFICATE, lapse: "Gone." }], false)).toMatch(/^Add a rule/);
    expect(nextWords([CERTIFICATE], false)).toMatch(/^A rule is certified\. Preview the policy/);
    expect(sampleWords(SAMPLE, nextWords([CERTIFICATE], true))).toMatch(
      /decided all 300\. A rule is certified, and a policy is active\.$/,
    );
  });

  it("says how many of the open ones wait for the lead, and what a sample costs", () => {
    const stuck = sampleWords({ ...SAMPLE, decided: 283, open: 17, waiting: 16 });
    expect(stuck).toContain("Annotators judge the remaining answer before all other work.");
    expect(stuck).toContain("16 answers are in the queue for your decision.");
    expect(sampleWords({ ...SAMPLE, decided: 299, open: 1, waiting: 1 })).not.toContain("Annotators judge");
    expect(judgmentsWords("300", 2)).toMatch(/about 600 judgments: 2 annotators for each answer/);
    expect(judgmentsWords("x", 2)).toBe("");
  });

  it("has a whole number of answers, and levels are shares in per cent", () => {
    expect(["1", "300", "10000"].map(isCount)).toEqual([true, true, true]);
    expect(["0", "1.5", "10001", ""].map(isCount)).toEqual([false, false, false, false]);
    expect(["0.1", "5", "50"].map(isLevel)).toEqual([true, true, true]);
    expect(["0", "51", "x"].map(isLevel)).toEqual([false, false, false]);
  });
});

describe("a certificate", () => {
  it("holds, has lapsed, or was refused", () => {
    expect(certificateState(CERTIFICATE).words).toBe("valid");
    expect(certificateState({ ...CERTIFICATE, lapse: "Gone." }).words).toBe("lapsed");
    expect(certificateState({ ...CERTIFICATE, threshold: null }).words).toBe("not granted");
  });

  it("says how sure a judge must be as its rule does, never more", () => {
    expect(formatSureness(0.564447)).toBe("56.4%");
    expect(formatSureness(0.99999)).toBe("99.9%");
    expect(formatSureness(0.57)).toBe("57.0%");
  });

  it("names its limit, what was observed, the upper bound and the risk", () => {
    const tested = {
      ...CERTIFICATE,
      ...{ alpha: 0.05, delta: 0.1, spent: 0.0125, number: 3, settled_labels: 240, errors: 4, upper: 0.037 },
      ...{ labels: 300, settled_share: 0.82 },
    };
    const levels = levelsOf(tested);
    expect(levels.map(({ name, share }) => [name, share])).toEqual([
      ["Maximum error rate", 0.05],
      ["Observed error rate", 4 / 240],
      ["Upper bound", 0.037],
      ["Risk", 0.1],
    ]);
    expect(levels[1]?.meaning).toBe(
      "In the calibration sample, people disagreed with the rule on 4 of the 240 answers that it would settle. That is 80.0% of the sample; of all answers, the rule may settle 82.0%. The two differ by chance.",
    );
    // The confidence of one attempt is not that of all, which is the one to cite.
    expect(levels[2]?.meaning).toBe(
      "The test of this attempt, at 98.7% confidence: the rule’s error rate is at most this.",
    );
    expect(levels[3]?.meaning).toMatch(/Cite this: 90\.0% confidence\..* This was attempt 3\.$/);
    expect(levelsOf({ ...tested, threshold: null })[1]?.meaning).toContain(
      "4 of the 240 answers with the highest confidence",
    );
    expect(levelsOf({ ...tested, settled_labels: 0 }).map(({ name }) => name)).toEqual([
      "Maximum error rate",
      "Risk",
    ]);
  });

  it("is offered to rules that read the same in the same way", () => {
    const rule = { runs: ["a"], condition: "all_agree", sure: "90", certificate: "" } as const;
    expect(certificatesOf(rule, [CERTIFICATE])).toEqual([CERTIFICATE]);
    expect(certificatesOf({ ...rule, sure: null }, [CERTIFICATE])).toEqual([]);
    expect(certificatesOf({ ...rule, runs: ["b"] }, [CERTIFICATE])).toEqual([]);
    expect(certificatesOf({ ...rule, condition: "all_accept" }, [CERTIFICATE])).toEqual([]);
    expect(certificatesOf(rule, [{ ...CERTIFICATE, threshold: null }])).toEqual([]);
  });
});
