import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type {
  JudgeBoardRow,
  JudgedPart,
  JudgeIntervals,
  JudgePairs,
  JudgeStrategy,
  ScoredJudge,
} from "../api/contract";
import { startFakeServer } from "../test/fake-server";
import { BASE } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const BEM: JudgeBoardRow = {
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
  words: { cost_per_thousand: "It asks no paid model." },
};
const PEOPLE: JudgeBoardRow = {
  ...BEM,
  key: "another_human",
  name: "Another human",
  kind: "human",
  run: "",
  accuracy_all: 0.9,
  error_multiple: 1,
  has_scores: false,
};
const INTERVALS: JudgeIntervals[] = [
  { key: "bem", figures: { accuracy_all: [0.7, 0.8], error_multiple: [1.9, 3.1] }, words: {} },
];
const SCORES: ScoredJudge = {
  rows: 100,
  positives: 80,
  points: [
    { threshold: 0.9, true_positive: 40, false_positive: 1 },
    { threshold: 0.4, true_positive: 70, false_positive: 6 },
  ],
  chosen: { threshold: 0.5, true_positive: 60, false_positive: 5 },
  best: { threshold: 0.4, true_positive: 70, false_positive: 6 },
  bins: [{ low: 0.9, high: 1, rows: 41, mean_probability: 0.95, correct_share: 0.976, interval: [0.9, 1] }],
  roc_area: 0.83,
  roc_interval: [0.76, 0.9],
  average_precision: 0.95,
  other_thresholds: [0.4, 0.45],
  gain: 0.08,
  gain_interval: [0.02, 0.14],
  calibration_error: 0.12,
  calibration_interval: [0.1, 0.15],
  words: {},
};
const PAIRS: JudgePairs = {
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
const STRATEGY: JudgeStrategy = {
  run: "r2",
  name: "LLM judge",
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

const SHORT: JudgedPart = {
  ...BEM,
  name: "1 word",
  accuracy_all: 0.9,
  interval: [0.85, 0.95],
  words: {},
};

const SERVER = {
  ...BASE,
  "GET /api/projects/nq/judge-board": [BEM, PEOPLE],
  "GET /api/projects/nq/judge-board/intervals": INTERVALS,
  "GET /api/projects/nq/judge-board/pairs": PAIRS,
  "GET /api/projects/nq/judge-board/strategies": [STRATEGY],
  "GET /api/projects/nq/judge-board/r1/thresholds": SCORES,
  "GET /api/projects/nq/judge-board/r1/parts": [SHORT],
};

describe("the board of judges", () => {
  it("says first which judge is nearest to people", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board");
    expect(await screen.findByText(/BEM agrees most with people: on 75.0.% of the answers/)).toBeVisible();
    expect(screen.getByText(/2.5 times another human’s/)).toBeVisible();
  });

  it("puts intervals on figures and opens the answers behind an error", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board");
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    expect(await within(table).findByText(/95 % interval 70.0 to 80.0/)).toBeInTheDocument();
    expect(within(table).getByRole("link", { name: /BEM wrongly rejects/ })).toHaveAttribute(
      "href",
      "/nq/answers?accepted_by=people&rejected_by=r1",
    );
  });

  it("lets published numbers of judges stand below those measured here, marked as such", async () => {
    const published = {
      id: "p1",
      subject: "judge",
      name: "GPT-4 of the paper",
      measure: "accuracy_all",
      value: 0.969,
      n: 301,
      about: "EVOUNA-NQ",
      source: "Wang et al. 2023",
      source_url: "",
      added_by: "Lena",
      added_at: "2026-11-01T00:00:00Z",
      removed_by: "",
      removed_at: null,
    };
    startFakeServer({ ...SERVER, "GET /api/projects/nq/reference-scores": [published] });
    openApp("/nq/runs/board");
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const row = await within(table).findByRole("row", { name: /GPT-4 of the paper/ });
    expect(row).toHaveTextContent("published · EVOUNA-NQ");
    expect(within(row).getByTitle("Published: Wang et al. 2023")).toHaveTextContent("96.9");
  });

  it("shows bias, ranking and cost on demand, with a reason where there is no figure", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board");
    await userEvent.click(await screen.findByRole("radio", { name: "Bias, ranking, cost" }));
    const row = within(await screen.findByRole("row", { name: /^BEM/ }));
    expect(row.getByText("−15.0")).toBeVisible();
    expect(row.getByTitle("It asks no paid model.")).toHaveTextContent("–");
  });

  it("tells what another threshold brings by answers it was not chosen on", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board");
    expect(
      await screen.findByText(/Chosen on other questions \(ten folds\), .* by \+8.0 points/),
    ).toBeVisible();
    const lines = screen.getByRole("table", { name: "What thresholds would accept, in percent" });
    expect(within(lines).getByRole("row", { name: /^In use: 0.500 75.0 75.0 92.3 25.0/ })).toBeVisible();
    expect(screen.getByRole("img", { name: "Reliability of BEM, 100 answers" })).toBeInTheDocument();
  });

  it("sets judges side by side in the parts of the study, by the figure chosen", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board?by=answer_length&figure=cohen_kappa");
    const table = await screen.findByRole("table", { name: "Cohen’s κ by length of the answer" });
    expect(within(table).getByRole("row", { name: "1 word 100 0.38" })).toBeVisible();
  });

  it("links the answers on which two differ, and sets prompts side by side", async () => {
    startFakeServer(SERVER);
    openApp("/nq/runs/board");
    const pairs = await screen.findByRole("table", { name: "Judges two by two" });
    expect(within(pairs).getByRole("link", { name: "5" })).toHaveAttribute(
      "href",
      "/nq/answers?accepted_by=r1&rejected_by=people",
    );
    expect(await screen.findAllByText("F1 95.3")).toHaveLength(2);
  });

  it("says in words what is not there yet", async () => {
    startFakeServer({ ...SERVER, "GET /api/projects/nq/judge-board": [] });
    openApp("/nq/runs/board");
    expect(await screen.findByText("Judges will be compared with people here")).toBeVisible();
  });

  it("says in words that nothing can be swept, paired or set side by side", async () => {
    startFakeServer({
      ...SERVER,
      "GET /api/projects/nq/judge-board": [{ ...BEM, has_scores: false }],
      "GET /api/projects/nq/judge-board/pairs": { judges: [], pairs: [] },
      "GET /api/projects/nq/judge-board/strategies": [],
    });
    openApp("/nq/runs/board");
    expect(await screen.findByText(/No judge here gives a score/)).toBeVisible();
    expect(await screen.findByText(/It takes two judges/)).toBeVisible();
    expect(await screen.findByText(/once the LLM judge has judged/)).toBeVisible();
  });
});
