/** Routing in words. */
import type { ReplayedRouting, RoutingFigures, RoutingLine, RoutingState } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount, formatFixedNumber, formatPercent } from "../../lib/numbers";

/** What is promised, and what is not. */
export const ROUTING_PROMISE =
  "Routing is a second way to save work. It works with or without a policy; if you want both, set up the policy first. Each answer goes to one annotator first. If the judge gives the same label with enough confidence, no other annotator judges the answer. Otherwise, your protocol continues as usual. One annotator and a judge can make the same mistake. To measure how often this happens, Assay still sends a random share of answers through the full protocol.";

export const REPLAY_PROMISE =
  "The table shows what routing would have done with the answers that people have judged in full. Routing may do better or worse on other answers. Only the audit measures that.";

/** How sure the judge must be; "None" where it does not matter. */
export function thresholdWords(threshold: number | null): string {
  return threshold === null ? "None" : formatPercent(threshold);
}

/** One choice of how sure the judge must be, with what it would have come to. */
export function choiceWords({ threshold, labels_an_answer, same_share }: ReplayedRouting): string {
  return `${thresholdWords(threshold)}: ${formatFixedNumber(labels_an_answer, 2)} labels per answer, ${formatPercent(same_share.value)} of answers with the same final label`;
}

/** What one choice saves, and how much could end otherwise. */
export function savingWords({ labels_an_answer, fixed, same_share }: ReplayedRouting): string {
  const saving = `${formatFixedNumber(labels_an_answer, 2)} labels per answer instead of ${formatFixedNumber(fixed, 2)}`;
  if (same_share.low === null) return `${saving}. There are too few questions to estimate the error.`;
  return `${saving}. At most ${formatPercent(1 - same_share.low)} of the answers would have had a different final label (95% confidence).`;
}

/** A number that is one where there is no better: which choice is offered first. */
const USUAL = 0.9;

/** A judge that states probabilities says of each answer how sure it is. */
export function usualRun(runs: RoutingState["runs"]): string {
  return (runs.find(({ sureness }) => sureness === "probability") ?? runs[0])?.id ?? "";
}

export function usualChoice(rows: readonly ReplayedRouting[]): string {
  return keyOfThreshold(rows.find(({ threshold }) => threshold === USUAL)?.threshold ?? null);
}

export function keyOfThreshold(threshold: number | null): string {
  return threshold === null ? "" : String(threshold);
}

/** Whether what is typed is a share of the audit in per cent. */
export function isAuditShare(percent: string): boolean {
  const share = Number(percent);
  return percent.trim() !== "" && share >= 1 && share <= 100;
}

const STATES: Readonly<Record<RoutingLine["state"], { readonly words: string; readonly tone: Tone }>> = {
  on: { words: "on", tone: "success" },
  off: { words: "off", tone: "neutral" },
  undone: { words: "undone", tone: "neutral" },
};

export function routingState({ state }: RoutingLine): { readonly words: string; readonly tone: Tone } {
  return STATES[state];
}

export function lineWords({ weighed, stopped, audit_share, state, reason }: RoutingLine): string {
  const settled =
    state === "undone"
      ? `${countOf(weighed, "answer")} returned to annotators`
      : `${formatCount(stopped)} of ${countOf(weighed, "answer")} settled with one annotator`;
  return `${settled} · audit share ${formatPercent(audit_share)}${reason && ` · ${reason}`}`;
}

/** What it has come to so far. */
export function progressWords(figures: RoutingFigures): string {
  const { weighed, labels_an_answer, stopped_share, open } = figures;
  if (weighed === 0) return "No annotator has judged a routed answer yet.";
  const waiting =
    open > 0 ? ` ${countOf(open, "answer")} ${open === 1 ? "is" : "are"} waiting for more annotators.` : "";
  return `Annotators have judged ${countOf(weighed, "routed answer")}, with ${formatFixedNumber(labels_an_answer, 2)} labels per answer so far. ${formatPercent(stopped_share)} were settled with one annotator.${waiting}`;
}

/** What the audit says of the error. */
export function auditWords({ drawn, decided, changed, residual }: RoutingFigures): string {
  if (drawn === 0) return "The audit has no answers yet.";
  if (decided === 0) return `The audit has ${countOf(drawn, "answer")}, none decided yet.`;
  const counts = `In the audit, the final label differs from the first annotator’s on ${formatCount(changed)} of ${countOf(decided, "answer")}`;
  if (residual.high === null) return `${counts}.`;
  return `${counts}. At most ${formatPercent(residual.high)} of all routed answers have a label that the full protocol would change (95% confidence, no matter how often you look).`;
}
