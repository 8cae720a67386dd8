/** Judges, their figures and intervals, as the pages that compare judges get them. */
import type {
  BoardRow,
  Cautions,
  ComparedJudges,
  JudgeBoardRow,
  JudgePairs,
  JudgeStrategy,
  JudgedParts,
  ReferenceScore,
  Replacements,
  Run,
  ScoredJudge,
} from "../api/schema";
import { type Figures, makeFigure } from "../components/figure";
import type { Call } from "./fake-server";
import { BASE } from "./lead-cast";

type Values = Readonly<Record<string, number | null>>;

const plainFigures = (values: Values): Figures =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, makeFigure(value)]));

interface Changes {
  readonly counts?: Readonly<Record<string, number>>;
  readonly values?: Values;
}

/** A row of a board with other counts and values. */
export function rowWith<Row extends Pick<JudgeBoardRow, "counts" | "figures">>(
  row: Row,
  { counts, values = {} }: Changes,
): Row {
  return {
    ...row,
    counts: { ...row.counts, ...counts },
    figures: { ...row.figures, ...plainFigures(values) },
  };
}

/** The same with intervals, as they come when these are asked for. */
function bounded<Row extends Pick<JudgeBoardRow, "figures">>(
  row: Row,
  ends: Readonly<Record<string, readonly [number, number]>>,
): Row {
  const found = Object.entries(ends).map(([name, [low, high]]) => {
    const figure = row.figures[name] ?? makeFigure(null);
    return [name, { ...figure, low, high }] as const;
  });
  return { ...row, figures: { ...row.figures, ...Object.fromEntries(found) } };
}

export const BEM: JudgeBoardRow = {
  key: "bem",
  name: "BEM",
  kind: "judge",
  run: "r1",
  gold: "original",
  signature: "judge:bem",
  counts: { tp: 60, fn: 20, fp: 5, tn: 15, unscored: 0 },
  reach: "all",
  weighed: null,
  is_audited: false,
  undecided: 0,
  is_told: false,
  caution: "",
  figures: {
    ...plainFigures({
      accuracy_all: 0.75,
      accuracy_scored: 0.75,
      coverage: 1,
      precision: 0.923,
      recall: 0.75,
      f1: 0.828,
      macro_f1: 0.686,
      cohen_kappa: 0.38,
      gwet_ac1: 0.6,
      kendall_tau_b: 0.7,
      accepted_share: 0.65,
      correct_share: 0.8,
      bias: -0.15,
      error_multiple: 2.5,
      rejects_right: 0.25,
      accepts_wrong: 0.25,
      seconds_per_thousand: 12.4,
    }),
    cost_per_thousand: makeFigure(null, { why: "not_paid" }),
  },
  has_scores: true,
  left_out: 0,
};
export const PEOPLE: JudgeBoardRow = {
  ...rowWith(BEM, { values: { accuracy_all: 0.9, error_multiple: 1 } }),
  key: "another_human",
  name: "All annotators",
  kind: "human",
  run: "",
  signature: "judge:another_human",
  has_scores: false,
};
/** A judge whose prompts can be compared. */
export const LLM: JudgeBoardRow = {
  ...rowWith(BEM, { values: { accuracy_all: 0.7 } }),
  key: "llm",
  name: "LLM judge",
  run: "r2",
  signature: "judge:llm|prompt_hash:0a|beside:people",
  has_scores: false,
};
const BOUNDED_BEM = bounded(BEM, {
  accuracy_all: [0.7, 0.8],
  accuracy_scored: [0.71, 0.79],
  error_multiple: [1.9, 3.1],
  rejects_right: [0.18, 0.33],
});

/** Points first, and intervals where they are asked for. */
const whereAsked =
  (points: unknown, whole: unknown) =>
  ({ query }: Call) =>
    query.includes("intervals=true") ? whole : points;
const between = (value: number, low: number, high: number) => makeFigure(value, { low, high });

const USED = plainFigures({
  accuracy_scored: 0.75,
  recall: 0.75,
  precision: 0.923,
  f1: 0.828,
  accepts_wrong: 0.25,
});
export const SCORES: ScoredJudge = {
  signature: "judge:llm|beside:people|seed:1",
  answers: 100,
  rows: 100,
  positives: 80,
  points: [
    { threshold: 0.9, figures: { ...USED, recall: makeFigure(0.5) } },
    { threshold: 0.4, figures: { ...USED, recall: makeFigure(0.875) } },
  ],
  chosen: { threshold: 0.5, figures: USED },
  best: { threshold: 0.4, figures: { ...USED, recall: makeFigure(0.875) } },
  roc_area: between(0.83, 0.76, 0.9),
  average_precision: makeFigure(0.95),
  other_thresholds: [0.4, 0.45],
  gain: between(0.08, 0.02, 0.14),
  calibration: {
    bins: [{ low: 0.9, high: 1, rows: 41, mean_probability: 0.95, correct_share: between(0.976, 0.9, 1) }],
    error: makeFigure(0.12),
    by_chance: makeFigure(0.04),
    p_value: makeFigure(0.002),
  },
};
const BOUNDED_SCORES: ScoredJudge = {
  ...SCORES,
  chosen: {
    threshold: 0.5,
    figures: {
      ...USED,
      accuracy_scored: between(0.75, 0.7, 0.8),
      recall: makeFigure(0.75, { why: "never_varies" }),
    },
  },
  average_precision: between(0.95, 0.91, 0.98),
};
export const PAIRS: JudgePairs = {
  signature: "judges two by two|judges:0a,0b|seed:1",
  undecided: 0,
  judges: [
    { id: "people", name: "People" },
    { id: "r1", name: "BEM" },
  ],
  pairs: [
    {
      first: "people",
      second: "r1",
      answers: 100,
      first_only: 20,
      second_only: 5,
      figures: { agreement: between(0.75, 0.7, 0.8), cohen_kappa: between(0.38, 0.2, 0.5) },
    },
  ],
};
const PART = {
  counts: { tp: 1, fn: 0, fp: 0, tn: 1, unscored: 0 },
  figures: plainFigures({ accuracy_all: 0.936, f1: 0.953 }),
};
export const STRATEGY: JudgeStrategy = {
  run: "r2",
  name: "LLM judge",
  signature: "judge:llm|prompt_hash:0a|beside:people|seed:1",
  model: "some-model",
  prompt: "original",
  systems: [
    { key: "", name: "", ...PART },
    { key: "fid", name: "FiD", ...PART },
  ],
  shared: 0,
  difference: makeFigure(null, { why: "the_first" }),
};

export const SHORT: BoardRow = {
  ...rowWith(BEM, {
    values: { accuracy_all: 0.9, tp_share: 0.5, fn_share: 0.1, fp_share: 0, tn_share: 0.4 },
  }),
  key: "1 word",
  name: "1 word",
};
const BOUNDED_SHORT = bounded(SHORT, { accuracy_all: [0.85, 0.95], cohen_kappa: [0.2, 0.5] });
const BOUNDED_STRATEGY: JudgeStrategy = {
  ...STRATEGY,
  systems: [
    {
      key: "",
      name: "",
      ...PART,
      figures: { accuracy_all: between(0.936, 0.91, 0.96), f1: between(0.953, 0.92, 0.97) },
    },
    {
      key: "fid",
      name: "FiD",
      ...PART,
      figures: {
        accuracy_all: between(0.936, 0.88, 0.98),
        f1: makeFigure(0.953, { why: "never_varies" }),
      },
    },
  ],
};

export const PUBLISHED: ReferenceScore = {
  id: "p1",
  subject: "judge",
  name: "GPT-4 of the paper",
  measure: "accuracy_all",
  value: 0.969,
  n: 301,
  about: "EVOUNA-NQ",
  source: "Wang et al. 2023",
  source_url: "",
  dataset: "",
  system: "",
  prompt: "",
  added_by: "Lena",
  added_at: "2026-11-01T00:00:00Z",
  removed_by: "",
  removed_at: null,
};
export const DIFFERENCES: ComparedJudges = {
  signature: "accuracy of judges two by two|beside:people",
  undecided: 0,
  judges: [
    { id: "r1", name: "BEM" },
    { id: "r2", name: "LLM judge" },
  ],
  pairs: [
    {
      first: "r1",
      second: "r2",
      rows: 96,
      difference: between(-0.15, -0.23, -0.07),
      p_value: 0.002,
      is_distinguishable: true,
      first_only: 4,
      second_only: 18,
      mcnemar_p: 0.0043,
    },
  ],
};
export const PARTS: JudgedParts = {
  signature: "judge:bem|by:answer_length|seed:1",
  weighed: false,
  left_out: 0,
  undecided: 0,
  reach: "all",
  parts: [SHORT],
};
export const CAUTIONS: Cautions = {
  signature: "repeats and families of judges|beside:people",
  repeats: [
    {
      runs: ["r2", "r3"],
      name: "LLM judge",
      answers: 80,
      flipped: 4,
      figures: { flipped_share: between(0.05, 0.02, 0.12) },
    },
  ],
  families: [
    {
      run: "r2",
      name: "LLM judge",
      family: "GPT",
      systems: ["ChatGPT", "GPT-4"],
      own_answers: 40,
      other_answers: 56,
      figures: {
        own_lenience: between(0.12, 0.05, 0.19),
        other_lenience: between(0.01, -0.02, 0.04),
        self_preference: between(0.11, 0.03, 0.19),
      },
    },
  ],
};
export const REPLACEMENTS: Replacements = {
  signature: "alternative annotator test|epsilon:0.15",
  epsilon: 0.15,
  false_discoveries: 0.05,
  raters: 3,
  tie_breakers: 0,
  raters_per_answer: 3,
  judges: [
    {
      run: "r1",
      name: "BEM",
      replaces: "yes",
      figures: {
        winning_rate: makeFigure(2 / 3, { why: "these_raters" }),
        advantage: between(0.84, 0.8, 0.88),
      },
      compared: 3,
      won: 2,
      won_together: 2,
      raters: ["R-2AB3", "R-7CD8", "R-9S79"].map((rater) => ({
        rater,
        shared: 40,
        judge_ahead: 0.84,
        rater_ahead: 0.9,
        p_value: rater === "R-9S79" ? 0.2 : 0.01,
        is_level: rater !== "R-9S79",
      })),
    },
  ],
};
export const JUDGES_SERVER = {
  ...BASE,
  "GET /api/projects/nq/judge-board": whereAsked([BEM, PEOPLE], [BOUNDED_BEM, PEOPLE]),
  "GET /api/projects/nq/judge-board/pairs": PAIRS,
  "GET /api/projects/nq/judge-board/differences": DIFFERENCES,
  "GET /api/projects/nq/judge-board/replacement": REPLACEMENTS,
  "GET /api/projects/nq/judge-board/cautions": CAUTIONS,
  "GET /api/projects/nq/judge-board/strategies": whereAsked([STRATEGY], [BOUNDED_STRATEGY]),
  "GET /api/projects/nq/judge-board/r1/thresholds": whereAsked(SCORES, BOUNDED_SCORES),
  "GET /api/projects/nq/judge-board/r1/parts": whereAsked(PARTS, { ...PARTS, parts: [BOUNDED_SHORT] }),
};

/** The same with a language model among the judges. */
export const LLM_SERVER = {
  ...JUDGES_SERVER,
  "GET /api/projects/nq/judge-board": whereAsked([BEM, LLM, PEOPLE], [BOUNDED_BEM, LLM, PEOPLE]),
  "GET /api/projects/nq/judge-board/r2/parts": { ...PARTS, signature: "judge:llm|by:answer_length|seed:1" },
};

/** A run that is finished. */
export const RUN: Run = {
  id: "r1",
  judge: "bem",
  name: "BEM",
  summary: "A model trained on people’s judgments finds the answer equivalent to a gold answer.",
  signature: "judge:bem",
  options: {},
  members: [],
  state: "finished",
  total: 100,
  done: 100,
  unscored: 0,
  failed: 0,
  rate_per_second: null,
  seconds_left: null,
  created_at: "2026-11-01T00:00:00Z",
  started_at: "2026-11-01T00:00:00Z",
  finished_at: "2026-11-01T00:01:00Z",
  failures: [],
  message: "",
  purpose: "verdicts",
  gold_version: "original",
  stale: null,
  connection: null,
  calls: { calls: 0, cache_hits: 0, input_tokens: 0, output_tokens: 0, cached_tokens: 0, mean_seconds: null },
  served: [],
  spent: "0",
  reserved: "0",
  spend_cap: null,
  sample_size: null,
  only_judged: false,
  dataset: "",
  system: "",
  follows: false,
  following_note: null,
  rest: null,
  holdup: null,
};
