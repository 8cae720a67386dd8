/** What the server says of two raters' agreement, and of what was decided. */
import type { Agreement, Decisions, LabelDecided, PairAgreement, ProjectDetail, Slice } from "../api/schema";
import { makeFigure } from "../components/figure";
import { type Call, startFakeServer } from "./fake-server";
import { BASE, PROJECT } from "./lead-cast";

export const FIGURES = {
  items: 40,
  questions: 12,
  disagreements: 4,
  figures: {
    observed_agreement: makeFigure(0.9),
    cohen_kappa: makeFigure(0.41),
    fleiss_kappa: makeFigure(0.4),
    krippendorff_alpha: makeFigure(0.4),
    krippendorff_alpha_ordinal: makeFigure(0.4),
    gwet_ac1: makeFigure(0.88),
  },
  is_paradox: false,
  distribution: { correct: 60, incorrect: 20 },
  label_shares: { correct: makeFigure(0.75), incorrect: makeFigure(0.25) },
};

export const ONE_PAIR: PairAgreement = {
  a: "R-1",
  b: "R-2",
  items: 40,
  disagreements: 4,
  is_paradox: false,
  figures: { observed_agreement: makeFigure(0.9), cohen_kappa: makeFigure(0.41) },
};

const REPORT: Agreement = {
  ...FIGURES,
  missing_votes: "own-category",
  rule_text: "A vote that was not given counts as a separate label.",
  labels: "as-labelled",
  label_views: ["as-labelled"],
  signature: "agreement|missing_votes:own-category|seed:1",
  raters: 2,
  band: "moderate",
  pairs: [ONE_PAIR],
  check_key: "",
  left_out: 0,
  checks: [],
};

export function makeSlice(name: string, more: Partial<Slice> = {}): Slice {
  return { ...FIGURES, name, ...more };
}

const DECIDED = "decisions|of:answers to proper questions|seed:1";

interface Made {
  readonly report?: Partial<Agreement>;
  readonly slices?: readonly Slice[];
  readonly decisions?: readonly LabelDecided[];
  readonly sources?: Decisions["sources"];
  readonly project?: Partial<ProjectDetail>;
}

/** Intervals come with the second reply, as they do. */
export function startAgreement({
  report = {},
  slices = [makeSlice("who"), makeSlice("when")],
  decisions = [],
  sources = {},
  project = {},
}: Made = {}): Call[] {
  const figures = {
    ...FIGURES.figures,
    observed_agreement: makeFigure(0.9, { low: 0.85, high: 0.95 }),
    fleiss_kappa: makeFigure(0.4, { low: 0.3, high: 0.5 }),
  };
  const withIntervals = ({ query }: Call) =>
    query.includes("intervals=true") && !("figures" in report) ? { figures } : {};
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq": { ...PROJECT, ...project },
    "GET /api/projects/nq/agreement/pilots": [],
    "GET /api/projects/nq/agreement/decisions": { signature: DECIDED, labels: decisions, sources },
    "GET /api/projects/nq/agreement": (call: Call) => ({
      ...REPORT,
      labels: new URLSearchParams(call.query).get("labels"),
      ...report,
      ...withIntervals(call),
    }),
    "GET /api/projects/nq/agreement/slices": (call: Call) => ({
      by: new URLSearchParams(call.query).get("by"),
      dimensions: ["question_type", "rater"],
      signature: "agreement|by:question_type|seed:1",
      slices,
    }),
  });
}
