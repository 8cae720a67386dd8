import { describe, expect, it } from "vitest";
import type { AuditReport, Policy } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import {
  assumedWords,
  auditBuysWords,
  costWords,
  hoursWords,
  largerShareWords,
  widthsOf,
  besidePeopleWords,
  conditionOptions,
  goldWords,
  countWords,
  headlineOf,
  inPercent,
  isSavedOnly,
  isSureness,
  sureHint,
  isUnaudited,
  partsOf,
  runWords,
  savedWords,
  tellApart,
  precisionWords,
  previewWords,
  watchedWords,
} from "./words";

const RUN = {
  id: "a",
  judge: "token_f1",
  name: "Token F1",
  signature: "threshold:0.5",
  state: "finished",
  judged: 8,
  sureness: "score",
} as const;
const OTHER = { ...RUN, id: "b", signature: "threshold:0.8" };
const ALONE = { ...RUN, id: "c", name: "Exact match" };

describe("a run that a rule may read", () => {
  it("says how many verdicts count, and where it never came to its end", () => {
    expect(runWords(RUN)).toBe("Token F1 (8 verdicts)");
    expect(runWords({ ...RUN, state: "cancelled" })).toBe("Token F1 (8 verdicts, stopped)");
    expect(runWords({ ...RUN, judged: 1, state: "sampled" })).toBe("Token F1 (1 verdict, sample only)");
  });

  it("says what being sure means of it", () => {
    expect(sureHint([RUN])).toContain("at least 0.9 for correct");
    expect(sureHint([{ ...RUN, sureness: "probability" }])).toContain("probability that the judge states");
    expect(sureHint([RUN, { ...ALONE, sureness: "none" }])).toMatch(/^Exact match does not report/);
  });

  it("is as sure as somebody typed, from 50 to 100%", () => {
    expect(["50", "97.5", "100"].map(isSureness)).toEqual([true, true, true]);
    expect(["49", "101", "", "x"].map(isSureness)).toEqual([false, false, false, false]);
    expect(inPercent(0.975)).toBe(97.5);
    expect(inPercent(0.29)).toBe(29);
  });

  it("shows its signature where another has its name", () => {
    const runs = [RUN, OTHER, ALONE];
    expect(runs.map((run) => tellApart(run, runs))).toEqual(["threshold:0.5", "threshold:0.8", undefined]);
  });
});

const POOLED = {
  settled: 375,
  drawn: 35,
  decided: 35,
  open: 0,
  disagreed: 8,
  unaudited: 0,
  share: makeFigure(0.229, { low: 0.104, high: 0.401 }),
  words: "People disagreed with automatic judges on 8 of 35 audited answers.",
};

function audit(pooled: Partial<typeof POOLED>): AuditReport {
  const rules = [
    { number: 1, text: "Exact match accepts: counts as correct", figures: POOLED, beside_certificate: "" },
  ];
  return { audit_share: 0.05, rules, pooled: { ...POOLED, ...pooled }, watched: 2 };
}

describe("the headline of pre-judging", () => {
  it("is of all applications in force", () => {
    expect(headlineOf(audit({}))).toMatch(
      /^Automatic judges settled 340 answers\. People disagreed with them on 8 of 35 audited answers/,
    );
    expect(headlineOf({ ...audit({}), audit_share: null, rules: [], watched: 0 })).toMatch(
      /^People judge every answer/,
    );
  });

  it("does not say that people judge every answer while they judge a sample", () => {
    const none = { ...audit({}), audit_share: null, rules: [], watched: 0 };
    const sample = {
      id: "s",
      number: 1,
      drawn: 300,
      decided: 120,
      open: 180,
      waiting: 0,
      gone: 0,
      population: 2000,
      probability: 0.15,
      holds_others: true,
      drawn_by: "",
      drawn_at: "",
    };
    expect(headlineOf(none, sample)).toBe(
      "No policy is active. A calibration sample is in progress: people have decided 120 of its 300 answers. Annotators get no other answers until you apply a policy.",
    );
    expect(headlineOf(none, { ...sample, open: 0 })).toMatch(/^People judge every answer/);
  });

  it("says what stands unaudited beside what is", () => {
    expect(headlineOf(audit({ unaudited: 130 }))).toMatch(/130 answers were settled without an audit\.$/);
    expect(headlineOf(audit({}))).not.toContain("without an audit");
  });
});

describe("rules that are shown as set", () => {
  it("are told from rules in force, before they are applied and after they are undone", () => {
    const rules = [{ runs: ["a"], condition: "all_accept" }] as unknown as Policy["rules"];
    const applied = (...states: readonly string[]) =>
      states.map((state) => ({ state })) as unknown as Policy["applications"];
    expect(isSavedOnly({ rules, applications: [] })).toBe(true);
    expect(isSavedOnly({ rules, applications: applied("undone", "undone") })).toBe(true);
    expect(isSavedOnly({ rules, applications: applied("done", "undone") })).toBe(false);
    expect(isSavedOnly({ rules: [], applications: [] })).toBe(false);
  });
});

describe("what a policy would do", () => {
  it("counts each open answer once", () => {
    expect(previewWords({ decided: 45, drawn: 13, to_people: 55 })).toBe(
      "45 would be settled, 13 sampled for the audit, and 42 left to people",
    );
  });
});

describe("a rule beside people", () => {
  it("says how often it would have been wrong, and where nobody can know", () => {
    const share = makeFigure(0.05, { low: 0.01, high: 0.12 });
    expect(besidePeopleWords({ settled: 40, wrong: 2, share }).replaceAll(/\s/g, " ")).toBe(
      "Among 40 answers that people have decided and that this rule would settle, the rule disagrees with people on 2: observed error rate 5.0% (95% interval 1.0% to 12.0%).",
    );
    expect(besidePeopleWords({ settled: 1, wrong: 0, share: makeFigure(0) })).toContain(
      "too few answers to estimate",
    );
    expect(besidePeopleWords({ settled: 0, wrong: 0, share: makeFigure(null) })).toMatch(
      /its error rate is unknown\.$/,
    );
  });
});

describe("an application", () => {
  it("tells settled answers that were given back from draws", () => {
    expect(countWords({ decided: 45, drawn: 13, undone: 0, undone_draws: 0 })).toBe(
      "45 answers settled · 13 sampled for the audit",
    );
    expect(countWords({ decided: 0, drawn: 0, undone: 58, undone_draws: 13 })).toBe(
      "45 settled answers and 13 audited answers returned to annotators",
    );
    expect(countWords({ decided: 5, drawn: 1, undone: 3, undone_draws: 1 })).toBe(
      "5 answers settled · 1 sampled for the audit · 2 settled answers and 1 audited answer returned to annotators",
    );
  });

  it("is unaudited where it settled something and could draw nothing", () => {
    const application = { audit_share: 0, decided: 3 } as Parameters<typeof isUnaudited>[0];
    expect(isUnaudited(application)).toBe(true);
    expect(isUnaudited({ ...application, audit_share: 0.05 })).toBe(false);
    expect(isUnaudited({ ...application, decided: 0 })).toBe(false);
  });
});

describe("an audit that is watched", () => {
  it("says for how many rules its intervals hold, where there is a choice", () => {
    expect(watchedWords({ watched: 1 })).toBe(
      "Intervals stay valid no matter how often you check them during the audit.",
    );
    expect(watchedWords({ watched: 3 })).toContain("to undo any of the 3 rules applied so far");
  });
});

describe("the work saved", () => {
  it("is what the settled answers would have needed, without those drawn", () => {
    const report = { rules: [{}], pooled: { settled: 375, drawn: 35 } } as unknown as AuditReport;
    expect(savedWords(report, 2)).toBe("Work saved: at least 680 judgments on 340 answers.");
    expect(savedWords(report, undefined)).toBe("");
    expect(savedWords({ ...report, rules: [] }, 2)).toBe("");
  });
});

describe("the gold list", () => {
  it("takes up what would count as correct, and gives it back", () => {
    expect(goldWords({ accepted: 2393 })).toBe(
      "2,393 of the settled answers would count as correct. Any that are not yet on the gold list would be added to it. If you then undid the policy, they would be removed.",
    );
    expect(goldWords({ accepted: 0 })).toBe("");
  });
});

describe("the condition of a rule", () => {
  const keys = ["any_accepts", "all_accept", "any_rejects", "all_reject", "all_agree"] as const;
  const conditions = keys.map((key) => ({ key, name: key, meaning: "correct" as const }));

  it("is that of one judge where there is one, each said once, whichever is chosen", () => {
    const options = conditionOptions(conditions, { runs: ["a"], condition: "all_reject" });
    expect(options).toEqual([
      { value: "any_accepts", name: "the judge accepts: correct" },
      { value: "all_reject", name: "the judge rejects: incorrect" },
      { value: "all_agree", name: "the judge’s verdict, correct or incorrect" },
    ]);
  });

  it("is that of several where there are several or none", () => {
    expect(conditionOptions(conditions, { runs: ["a", "b"], condition: "all_agree" })).toHaveLength(5);
    expect(conditionOptions(conditions, { runs: [], condition: "all_agree" })).toHaveLength(5);
  });
});

describe("what an audit share buys", () => {
  it("is how many answers it draws and how sure they make one, each share for itself", () => {
    const words = auditBuysWords({ decided: 1900, drawn: 100 });
    // 1.96 times the root of .05 × .95 × .95 / 100, of .05 × .95 × .9 / 200, and of .05 × .95 × .8 / 400.
    expect(words).toMatch(
      /an audit share of 5% gives about 100 answers \(observed error rate ±4\.2 points\), 10% about 200 answers \(observed error rate ±2\.9 points\) and 20% about 400 answers \(observed error rate ±1\.9 points\)/,
    );
    expect(words).toContain("over all systems together.");
  });
});

describe("the precision that a preview expects", () => {
  const expectedOf = (label: string, half_width: number | null, by_people = 0.02) => ({
    system: label,
    label,
    n: 100,
    settled: 70,
    audited: 10,
    to_people: 20,
    half_width,
    by_people,
  });
  const words = (...scores: ReturnType<typeof expectedOf>[]) => precisionWords({ to_people: 1234, scores });

  it("is that of the median and of the least certain system, beside what people alone would reach", () => {
    expect(
      words(expectedOf("A", 0.05, 0.03), expectedOf("B", 0.031, 0.02), expectedOf("C", 0.029, 0.01)),
    ).toBe(
      "People would still judge 1,234 answers. Scores would then be known to within ±3.1 points for the median system and ±5.0 points for the least certain one, A. If people judged every answer, scores would be known to within ±2.0 points for the median system and ±3.0 points for the least certain one.",
    );
  });

  it("takes the wider of two for the median", () => {
    expect(words(expectedOf("A", 0.05), expectedOf("B", 0.03))).toContain("±5.0 points for the median");
  });

  it("names the only system", () => {
    expect(words(expectedOf("A", 0.05))).toContain(
      "The score of A would then be known to within ±5.0 points",
    );
  });

  it("says which would have no score, and what helps", () => {
    const some = words(expectedOf("A", 0.05), expectedOf("B", null));
    expect(some).toContain("The score of A");
    expect(some).toContain("1 system would have no score");
    expect(words(expectedOf("A", null), expectedOf("B", null))).toBe(
      "People would still judge 1,234 answers. No system would have a score, because too few settled answers would be audited. Increase the audit share.",
    );
  });

  it("says what it assumes, and from what", () => {
    expect(assumedWords({ wrong_share: null, tried: 0 })).toBe("");
    expect(assumedWords({ wrong_share: 0.036, tried: 480 })).toBe(
      "This assumes that people disagree with the rules on about 3.6% of the settled answers, based on the 480 answers in the test below.",
    );
    expect(assumedWords({ wrong_share: 0.1, tried: 0 })).toContain("This is a rough guess");
  });
});

describe("a larger audit share", () => {
  const rowOf = (audit_share: number, to_people: number, ...half_widths: (number | null)[]) => ({
    audit_share,
    drawn: 0,
    to_people,
    judgments: 2 * to_people,
    half_widths,
  });
  const rows = [
    rowOf(0.05, 1000, null, null),
    rowOf(0.1, 1080, 0.05, 0.03, 0.029),
    rowOf(0.2, 1240, 0.041, 0.026, 0.02),
    rowOf(1, 2520, 0.02, 0.02, 0.02),
  ];

  it("is said by what the next one costs and brings", () => {
    expect(largerShareWords(rows, 0.1)).toBe(
      "With an audit share of 20% instead of 10%, people would judge 160 more answers, and scores would be known to within ±4.1 instead of ±5.0 points for the least certain system.",
    );
  });

  it("is the first with scores for all systems", () => {
    expect(largerShareWords(rows, 0.05)).toBe(
      "With an audit share of 10% instead of 5%, people would judge 80 more answers, and scores would be known to within ±5.0 points for the least certain system.",
    );
  });

  it("is none where people judge everything, or nothing is known", () => {
    expect(largerShareWords(rows, 1)).toBe("");
    expect(largerShareWords([], 0.1)).toBe("");
  });

  it("is of the only system", () => {
    expect(largerShareWords([rowOf(0.1, 10, 0.05), rowOf(0.2, 11, 0.04)], 0.1)).toBe(
      "With an audit share of 20% instead of 10%, people would judge 1 more answer, and scores would be known to within ±4.0 instead of ±5.0 points.",
    );
  });

  it("is not made to look surer by the systems that have no score", () => {
    expect(widthsOf({ half_widths: [0.05, null, 0.03, null] })).toEqual({
      median: null,
      widest: 0.05,
      lacking: 2,
    });
    expect(widthsOf({ half_widths: [0.05, null, 0.03] })).toEqual({ median: 0.05, widest: 0.05, lacking: 1 });
  });

  it("takes hours as they are counted", () => {
    expect([0.01, 0.25, 9.94, 9.96, 1234.5].map(hoursWords)).toEqual(["< 0.1", "0.3", "9.9", "10", "1,235"]);
    expect(costWords([rowOf(0.1, 10, 0.05)], null)).not.toContain("pace");
    expect(costWords([{ ...rowOf(0.1, 10, 0.05), judgments: 10 }], null)).toBe(
      "A larger share includes all the answers in a smaller one, and more.",
    );
  });
});

describe("who decided the answers", () => {
  const counts = { answers: 204, settled: 100, routed: 0, audited: 10, calibrated: 50, others: 40, open: 4 };

  it("names every answer once, so that the parts add up to all", () => {
    const parts = partsOf(counts);
    const all = parts.at(-1);
    expect(all).toEqual({ name: "All answers", count: 204, share: 1 });
    expect(parts.slice(0, -1).reduce((sum, { count }) => sum + count, 0)).toBe(204);
    expect(parts.map(({ name }) => name)).toContain("Other work, decided by people");
  });

  it("leaves out parts without answers", () => {
    expect(partsOf(counts).map(({ name }) => name)).not.toContain(
      "Decided by one annotator and an automatic judge",
    );
  });
});
