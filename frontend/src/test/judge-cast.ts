/** Judges, their figures and intervals, as the pages that compare judges get them. */
import type {
  ComparedJudges,
  JudgeBoardRow,
  JudgedPart,
  JudgedParts,
  JudgeIntervals,
  JudgePairs,
  JudgeStrategy,
  PartIntervals,
  ReferenceScore,
  ScoredJudge,
  ThresholdIntervals,
  StrategyIntervals,
} from "../api/contract";
import { BASE } from "./lead-cast";

export const BEM: JudgeBoardRow = {
  key: "bem",
  name: "BEM",
  kind: "judge",
  run: "r1",
  gold: "original",
  signature: "judge:bem",
  tp: 60,
  fn: 20,
  fp: 5,
  tn: 15,
  unscored: 0,
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
  cost_per_thousand: null,
  seconds_per_thousand: 12.4,
  has_scores: true,
  left_out: 0,
  words: { cost_per_thousand: "It asks no paid model." },
};
export const PEOPLE: JudgeBoardRow = {
  ...BEM,
  key: "another_human",
  name: "Another human",
  kind: "human",
  run: "",
  signature: "judge:another_human",
  accuracy_all: 0.9,
  error_multiple: 1,
  has_scores: false,
};
const INTERVALS: JudgeIntervals[] = [
  {
    key: "bem",
    figures: {
      accuracy_all: [0.7, 0.8],
      accuracy_scored: [0.71, 0.79],
      error_multiple: [1.9, 3.1],
      rejects_right: [0.18, 0.33],
    },
    words: {},
  },
];
const SCORES: ScoredJudge = {
  signature: "judge:llm|beside:people|seed:1",
  answers: 100,
  rows: 100,
  positives: 80,
  points: [
    { threshold: 0.9, true_positive: 40, false_positive: 1 },
    { threshold: 0.4, true_positive: 70, false_positive: 6 },
  ],
  chosen: { threshold: 0.5, true_positive: 60, false_positive: 5 },
  best: { threshold: 0.4, true_positive: 70, false_positive: 6 },
  bins: [
    {
      low: 0.9,
      high: 1,
      rows: 41,
      mean_probability: 0.95,
      correct_share: 0.976,
      interval: [0.9, 1],
      words: "",
    },
  ],
  roc_area: 0.83,
  roc_interval: [0.76, 0.9],
  average_precision: 0.95,
  other_thresholds: [0.4, 0.45],
  gain: 0.08,
  gain_interval: [0.02, 0.14],
  calibration_error: 0.12,
  calibration_by_chance: 0.04,
  calibration_p_value: 0.002,
  words: {},
};
const LINE_BOUNDS = {
  figures: { accuracy_scored: [0.7, 0.8], recall: null },
  words: { recall: "It never varies." },
};
const THRESHOLD_BOUNDS: ThresholdIntervals = {
  points: [LINE_BOUNDS, LINE_BOUNDS],
  chosen: LINE_BOUNDS,
  best: LINE_BOUNDS,
  average_precision: [0.91, 0.98],
  words: {},
};
const PAIRS: JudgePairs = {
  signature: "judges two by two|judges:0a,0b|seed:1",
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
      agreement: 0.75,
      agreement_interval: [0.7, 0.8],
      cohen_kappa: 0.38,
      kappa_interval: [0.2, 0.5],
      words: {},
    },
  ],
};
const PART = { tp: 1, fn: 0, fp: 0, tn: 1, unscored: 0, accuracy: 0.936, f1: 0.953, words: {} };
export const STRATEGY: JudgeStrategy = {
  run: "r2",
  name: "LLM judge",
  signature: "judge:llm|prompt_hash:0a|beside:people|seed:1",
  model: "some-model",
  prompt: "original",
  systems: [
    { system: "", label: "", ...PART },
    { system: "fid", label: "FiD", ...PART },
  ],
  shared: 0,
  difference: null,
  interval: null,
  words: { difference: "The others of this model are compared with it." },
};

export const SHORT: JudgedPart = {
  ...BEM,
  name: "1 word",
  accuracy_all: 0.9,
  tp_share: 0.5,
  fn_share: 0.1,
  fp_share: 0,
  tn_share: 0.4,
  words: {},
};

const PART_BOUNDS: PartIntervals[] = [
  { name: "1 word", figures: { accuracy_all: [0.85, 0.95], cohen_kappa: [0.2, 0.5] }, words: {} },
];
const STRATEGY_BOUNDS: StrategyIntervals[] = [
  {
    run: "r2",
    systems: [
      { system: "", figures: { accuracy_all: [0.91, 0.96], f1: [0.92, 0.97] }, words: {} },
      { system: "fid", figures: { accuracy_all: [0.88, 0.98], f1: null }, words: { f1: "It never varies." } },
    ],
  },
];

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
const DIFFERENCES: ComparedJudges = {
  signature: "accuracy of judges two by two|beside:people",
  judges: [
    { id: "r1", name: "BEM" },
    { id: "r2", name: "LLM judge" },
  ],
  pairs: [
    {
      first: "r1",
      second: "r2",
      rows: 96,
      difference: -0.15,
      interval: [-0.23, -0.07],
      p_value: 0.002,
      is_distinguishable: true,
      first_only: 4,
      second_only: 18,
      mcnemar_p: 0.0043,
      words: "",
    },
  ],
};
const PARTS: JudgedParts = {
  signature: "judge:bem|by:answer_length|seed:1",
  weighed: false,
  left_out: 0,
  parts: [SHORT],
};
export const JUDGES_SERVER = {
  ...BASE,
  "GET /api/projects/nq/judge-board": [BEM, PEOPLE],
  "GET /api/projects/nq/judge-board/intervals": INTERVALS,
  "GET /api/projects/nq/judge-board/pairs": PAIRS,
  "GET /api/projects/nq/judge-board/differences": DIFFERENCES,
  "GET /api/projects/nq/judge-board/strategies": [STRATEGY],
  "GET /api/projects/nq/judge-board/r1/thresholds": SCORES,
  "GET /api/projects/nq/judge-board/r1/thresholds/intervals": THRESHOLD_BOUNDS,
  "GET /api/projects/nq/judge-board/strategies/intervals": STRATEGY_BOUNDS,
  "GET /api/projects/nq/judge-board/r1/parts": PARTS,
  "GET /api/projects/nq/judge-board/r1/parts/intervals": PART_BOUNDS,
};
