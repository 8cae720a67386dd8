import { describe, expect, it } from "vitest";
import type { BestSystem, FoundJudge, Results, TrustedJudge } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { makeResults } from "../../test/lead-cast";
import { cautionsOf, isSoFar, judgeFinding, leftOutJudges, systemFinding, usesOf } from "./results-words";

type Ranked = BestSystem["leaders"][number];

const score = (value: number) => ({ ...makeFigure(value), low: value - 0.04, high: value + 0.04 });

const ranked = (label: string, value: number): Ranked => ({ label, score: score(value) });

const FOUND: Partial<BestSystem> = {
  undecided_because: null,
  n_questions: 301,
  judged_questions: 301,
  leaders: [ranked("Chatty", 0.812)],
};

const system = (more: Partial<BestSystem> = {}) => makeResults({ system: { ...FOUND, ...more } }).system;

const sentence = ({ answer, details }: { answer: string; details: string }) =>
  details ? `${answer}. ${details}` : `${answer}.`;

const ofSystem = (more: Partial<BestSystem> = {}) => sentence(systemFinding(system(more)));

describe("the best system", () => {
  it("is best where it differs from all others", () => {
    expect(ofSystem({ worse: 4 })).toBe(
      "Chatty is the best system. According to people’s decisions: 81.2% of 301 questions correct (95% interval 77.2 to 85.2). It is significantly better than all 4 other systems.",
    );
    expect(ofSystem({ worse: 1 })).toMatch(/ better than the other system\.$/);
  });

  it("only has the highest score where others may be as good", () => {
    expect(ofSystem({ rivals: [ranked("Strict", 0.794)], worse: 3 })).toBe(
      "Chatty has the highest score but is not clearly the best. According to people’s decisions: 81.2% of 301 questions correct (95% interval 77.2 to 85.2). Strict (79.4%) may be as good. Chatty is significantly better than 3 other systems.",
    );
  });

  it("counts those it has no room to name", () => {
    const rivals = ["A", "B", "C", "D"].map((label) => ranked(label, 0.7));
    expect(ofSystem({ rivals })).toMatch(/ A \(70\.0%\), B \(70\.0%\) and 2 others may be as good\.$/);
  });

  it("is tied, alone, or not compared with those that answered less", () => {
    const leaders = [ranked("Chatty", 0.812), ranked("Strict", 0.812)];
    expect(ofSystem({ leaders })).toMatch(
      /^Chatty and Strict are tied for the highest score\. According to people’s decisions: 81\.2%/,
    );
    expect(ofSystem({ leaders, worse: 3 })).toMatch(
      /\. Both are significantly better than all 3 other systems\.$/,
    );
    expect(ofSystem()).toBe(
      "Chatty has the highest score. According to people’s decisions: 81.2% of 301 questions correct (95% interval 77.2 to 85.2).",
    );
    expect(ofSystem({ worse: 1, unranked: ["Wren"] })).toMatch(
      / This system is not ranked because it answered fewer questions: Wren\.$/,
    );
    expect(ofSystem({ unranked: ["Wren", "Finch"] })).toBe(
      "Chatty is the only system that answered all questions. According to people’s decisions: 81.2% of 301 questions correct (95% interval 77.2 to 85.2). These systems are not ranked because they answered fewer questions: Wren, Finch.",
    );
  });

  it("says whose score it is where people did not judge everything", () => {
    expect(ofSystem({ is_corrected: true })).toMatch(
      / After correction by the audit of settled answers: 81\.2%/,
    );
    expect(ofSystem({ is_estimated: true, n_questions: 3610 })).toMatch(
      / Estimated for all questions from the 301 whose answers people judged: 81\.2% of 3,610 questions/,
    );
  });

  it("is not known while something lacks, which it says", () => {
    const open = { undecided_because: "not_decided", open_questions: 38 } as const;
    expect(ofSystem(open)).toBe(
      "Too early to say which system is best. The best system appears here when all answers are decided. So far, all answers to 263 of 301 questions (87%) are decided.",
    );
    expect(ofSystem({ ...open, open_questions: 301 })).toMatch(
      / So far, there is no question whose answers are all decided\.$/,
    );
    expect(ofSystem({ undecided_because: "not_audited", programs_share: 0.6 })).toBe(
      "Too early to say which system is best: automatic judges helped settle 60.0% of the systems’ answers, and people have checked too few of them. The best system appears here when people have decided enough of the audited answers to correct the scores.",
    );
    expect(ofSystem({ undecided_because: "barely_decided", decided_share: 0.9 })).toBe(
      "No system can be called best: for at least one system, people have decided too few answers. People need to decide at least 80% of each system’s answers.",
    );
    expect(isSoFar(system(open))).toBe(true);
    expect(isSoFar(system())).toBe(false);
    expect(isSoFar(system({ undecided_because: "few_questions" }))).toBe(false);
  });
});

const BEST: FoundJudge = {
  run: "r1",
  name: "GPT-4",
  figures: {
    accuracy_all: score(0.931),
    cohen_kappa: score(0.84),
    rejects_right: score(0.2),
    accepts_wrong: score(0.041),
  },
  is_recorded: false,
  caution: "",
  kin: [],
  self_preference: null,
  flipped_share: null,
  ranking: { trust: "yes", pairs: 6, same: 6, alike: 5, rank_of_best: 1 },
  scoring: { trust: "no", bias: { ...makeFigure(-0.08), low: -0.1, high: -0.06 }, most: null },
  standing_in: { replaces: "no", won: 1, raters: 4, first_raters: 4 },
};

function judge(more: Partial<TrustedJudge> = {}, best: Partial<FoundJudge> = {}): Results["judge"] {
  return makeResults({
    judge: { untrusted_because: null, answers: 1490, judges: 6, best: { ...BEST, ...best }, ...more },
  }).judge;
}

const ofJudge = (more: Partial<TrustedJudge> = {}) => sentence(judgeFinding(judge(more)));

describe("the best judge", () => {
  it("says how often it agrees with people, and beside whom", () => {
    const rivals = [{ name: "BEM", agreement: score(0.928) }];
    expect(ofJudge({ rivals, worse: 4 })).toBe(
      "GPT-4 agrees most with people. It agrees with people on 93.1% of 1,490 answers (95% interval 89.1 to 97.1; κ\u00a0=\u00a00.84). BEM (92.8%) may agree as often. GPT-4 agrees significantly more often than 4 other judges.",
    );
    expect(ofJudge({ judges: 1 })).toMatch(/^GPT-4 is the only judge to compare\./);
  });

  it("has another named beside it where it was trained on such answers", () => {
    const best_without_caution = { name: "BEM", agreement: score(0.928) };
    expect(judgeFinding(judge({ best_without_caution }, { caution: "Trained on these." })).details).toMatch(
      /Trained on these\. Among the other judges, BEM agrees with people most \(92\.8%\)\.$/,
    );
  });

  it("replaces nobody where it is fit for nothing", () => {
    const unfit = { ranking: { ...BEST.ranking, trust: "no" } } as const;
    expect(judgeFinding(judge({}, unfit)).answer).toBe(
      "No judge can replace people here; GPT-4 agrees with them most",
    );
    const unsure = { ...unfit, standing_in: { ...BEST.standing_in, replaces: "few_votes" } } as const;
    expect(judgeFinding(judge({}, unsure)).answer).toBe("GPT-4 agrees most with people");
  });

  it("is nobody where nobody can be trusted", () => {
    const nobody = (because: TrustedJudge["untrusted_because"], more: Partial<TrustedJudge> = {}) =>
      ofJudge({ untrusted_because: because, best: null, ...more });
    expect(nobody("few_answers", { answers: 7 })).toBe(
      "Too early to say which judge to trust: people have decided only 7 answers.",
    );
    expect(nobody("unchecked", { left_out: 300 })).toMatch(
      /random share of the answers that automatic judges settled\.$/,
    );
    expect(nobody("undecided", { undecided: 40 })).toMatch(
      /and 40 distinct answers left to people or sampled for the audit are still undecided\.$/,
    );
    expect(nobody("chance")).toMatch(/^No judge can be trusted:/);
  });
});

const uses = (best: Partial<FoundJudge> = {}) => {
  const found = judge({}, best);
  return found.best ? usesOf(found.best, found, system()).map(({ answer, why }) => `${answer}. ${why}`) : [];
};

describe("what it can be used for", () => {
  it("says yes, no, and why", () => {
    expect(uses()).toEqual([
      "Yes. It agrees with people on the order of all 6 pairs of systems that differ significantly.",
      "No. The share of answers it accepts is 8.0 points lower than people’s (95% interval −10.0 to −6.0).",
      "No. Measured by agreement with the other annotators, it trails an annotator by significantly less than 15 points in only 1 of 4 comparisons, and at least half are required (alternative annotator test, ε = 0.15).",
    ]);
  });

  it("names the system whose score is furthest off", () => {
    const most = { label: "Chatty", difference: makeFigure(-0.12) };
    expect(uses({ scoring: { ...BEST.scoring, most } })[1]).toMatch(
      / The largest error is in its score for Chatty: 12\.0 points too low\.$/,
    );
  });

  it("does not trust scores where no system’s is known", () => {
    const bias = { ...makeFigure(0.005), low: -0.01, high: 0.02 };
    expect(uses({ scoring: { trust: "unsure", bias, most: null } })[1]).toBe(
      "Unknown. The share of answers it accepts is 0.5 points higher than people’s (95% interval −1.0 to 2.0). The errors in its scores for individual systems are unknown.",
    );
  });

  it("does not know what too little tells", () => {
    const few = uses({
      ranking: { trust: "unsure", pairs: 0, same: 0, alike: 0, rank_of_best: null },
      standing_in: { replaces: "few_votes", won: 0, raters: 0, first_raters: 3 },
    });
    expect(few[0]).toBe("Unknown. No two systems differ significantly in people’s scores.");
    expect(few[2]).toMatch(/^Unknown\. The test needs 3 annotators/);
    const early = usesOf(
      BEST,
      { epsilon: 0.15, is_audited: false },
      system({ undecided_because: "not_decided" }),
    );
    expect(early[0]?.why).toBe("People’s scores do not rank the systems yet.");
  });

  it("does not rank by a few pairs, nor by any in another order", () => {
    const ranking = { trust: "unsure", pairs: 5, same: 5, alike: 1, rank_of_best: 7 } as const;
    expect(uses({ ranking })[0]).toMatch(
      /^Unknown\. It agrees with people on the order of all 5 pairs .*, but only 1 of them differs significantly in the judge’s own scores, so this may be due to chance\. People rank \w+ first, but the judge ranks it number 7\.$/,
    );
    expect(uses({ ranking: { ...ranking, trust: "no", same: 4 } })[0]).toMatch(
      /^No\. It agrees with people on the order of only 4 of 5 pairs of systems that differ significantly\. People rank/,
    );
  });

  it("does not call one pair several, nor all of them a few", () => {
    const one = { trust: "unsure", pairs: 1, same: 1, alike: 0, rank_of_best: 1 } as const;
    const wordsOf = (ranking: FoundJudge["ranking"]) => uses({ ranking })[0];
    expect(wordsOf(one)).toBe(
      "Unknown. It agrees with people on the order of the only pair of systems that differ significantly, but these two do not differ significantly in the judge’s own scores, so this may be due to chance.",
    );
    expect(wordsOf({ ...one, trust: "no", same: 0 })).toBe(
      "No. It does not agree with people on the order of the only pair of systems that differ significantly.",
    );
    expect(wordsOf({ ...one, pairs: 2, same: 2, alike: 2 })).toBe(
      "Unknown. It agrees with people on the order of both pairs of systems that differ significantly, but with so few pairs, this may be due to chance.",
    );
    expect(wordsOf({ ...one, pairs: 3, same: 3, alike: 0 })).toMatch(
      /, but none of them differs significantly/,
    );
  });

  it("says what the protocol lacks for the test of annotators", () => {
    const place = { replaces: "few_votes", won: 0, raters: 2, first_raters: 2 } as const;
    expect(uses({ standing_in: place })[2]).toBe(
      "Unknown. The test needs 3 annotators for the same answers. Here, 2 annotators judge each answer, and tie-breaks do not count.",
    );
    const fixOf = (standing: FoundJudge["standing_in"]) => {
      const found = judge({}, { standing_in: standing });
      return found.best && usesOf(found.best, found, system()).map(({ fix }) => fix);
    };
    expect(fixOf(place)).toEqual([undefined, undefined, "Have 3 annotators judge each answer"]);
    expect(fixOf({ ...place, first_raters: 3 })).toEqual([undefined, undefined, undefined]);
  });

  it("is never called an annotator by its own test alone", () => {
    const chance = uses({ standing_in: { replaces: "chance", won: 3, raters: 4, first_raters: 4 } });
    expect(chance[2]).toMatch(
      /^No\. .* in 3 of 4 comparisons before correction, but in fewer than half after correction for testing all judges \(alternative/,
    );
  });
});

describe("what has to be known of it", () => {
  it("is how it errs, and all that makes it look better than it is", () => {
    const found = judge(
      { reach: "chosen" },
      {
        caution: "Trained on these.",
        kin: ["InstructGPT"],
        self_preference: score(0.05),
        flipped_share: makeFigure(0.03),
        is_recorded: true,
      },
    );
    expect(cautionsOf(found)).toEqual([
      "It rejects 20.0% of the answers that people accept and accepts 4.1% of those that people reject.",
      "It belongs to the same model family as InstructGPT and is more lenient toward it by 5.0 points.",
      "In another run with the same options, it changed 3.0% of its verdicts.",
      "Its verdicts come from a file, so it cannot judge new answers here.",
      "The judged questions are not a random sample with known probabilities, so figures do not apply to other questions.",
    ]);
  });

  it("names the weights of an audit, by which shares are no plain counts, and the scores to report", () => {
    const found = judge({ is_audited: true });
    expect(cautionsOf(found)).toContain(
      "Automatic judges settled the other answers. Audited answers are weighted to represent them.",
    );
    expect(cautionsOf(judge())).not.toContain("weighted");
    expect(cautionsOf(judge({ is_audited: true, undecided: 40 }))).toContain(
      "These figures are preliminary: 40 distinct answers are undecided, and answers decided first are not a random sample.",
    );
    const [, scores] = found.best ? usesOf(found.best, found, system()) : [];
    expect(scores?.why).toMatch(/If the leaderboard has corrected scores, report those/);
  });

  it("is who was not compared", () => {
    const left = { by_chance: ["F1"], unfinished: ["BEM"], told: ["Exact match, amended gold"] };
    expect(leftOutJudges(judge(left))).toEqual([
      "This judge is not compared because its agreement with people may be due to chance: F1.",
      "This judge is not compared because it has not judged all of these answers: BEM.",
      "This judge is not compared because it was told what people decided: Exact match, amended gold.",
    ]);
  });
});
