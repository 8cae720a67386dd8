/** What the server says of two raters' agreement, and of what was decided. */
import type { Agreement, DecisionIntervals, LabelDecided, Slice } from "../api/schema";
import { type Call, startFakeServer } from "./fake-server";
import { BASE } from "./lead-cast";

const FIGURES = {
  items: 40,
  questions: 12,
  disagreements: 4,
  observed_agreement: 0.9,
  cohen_kappa: 0.41,
  fleiss_kappa: 0.4,
  krippendorff_alpha: 0.4,
  krippendorff_alpha_ordinal: 0.4,
  gwet_ac1: 0.88,
  interval: {},
  words: {},
  is_paradox: false,
  distribution: { correct: 60, incorrect: 20 },
};

export const ONE_PAIR = {
  a: "R-1",
  b: "R-2",
  items: 40,
  disagreements: 4,
  observed: 0.9,
  cohen: 0.41,
  is_paradox: false,
  interval: {},
  words: {},
};

const REPORT: Agreement = {
  ...FIGURES,
  missing_votes: "own-category",
  rule_text: "A vote that was not given counts as a label of its own.",
  labels: "as-labelled",
  label_views: ["as-labelled"],
  signature: "agreement|missing_votes:own-category|seed:1",
  raters: 2,
  band: "moderate",
  pairs: [ONE_PAIR],
  check_key: "",
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
  readonly decided?: Partial<DecisionIntervals>;
}

/** Intervals come with the second reply, as they do. */
export function startAgreement({
  report = {},
  slices = [makeSlice("who"), makeSlice("when")],
  decisions = [],
  decided = {},
}: Made = {}): Call[] {
  const interval = { observed_agreement: [0.85, 0.95], fleiss_kappa: [0.3, 0.5] };
  const withIntervals = ({ query }: Call) =>
    query.includes("intervals=true") && !("interval" in report) ? { interval } : {};
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq/agreement/pilots": [],
    "GET /api/projects/nq/agreement/decisions": { signature: DECIDED, labels: decisions },
    "GET /api/projects/nq/agreement/decisions/intervals": { labels: {}, sources: {}, words: {}, ...decided },
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
