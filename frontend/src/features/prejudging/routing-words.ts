/** Routing in words. */
import type { ReplayedRouting, RoutingFigures, RoutingLine, RoutingState } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount, formatFixedNumber, formatPercent } from "../../lib/numbers";

/** What is promised, and what is not. */
export const ROUTING_PROMISE =
  "A second way to save work, on top of the steps above or without them: set up the policy first. Each answer goes to one rater first. If the judge says the same and is sure enough, no other rater is asked; otherwise your protocol goes on as usual. This saves labels, but one rater and a judge can make the same mistake, so a random share still goes through the full protocol and measures how often.";

export const REPLAY_PROMISE =
  "Tried on the answers that people have judged in full. It shows what the rule would have done there, not what it will do with answers of another kind. Only the audit shows that.";

/** How sure the judge must be; "every verdict" where it does not matter. */
export function thresholdWords(threshold: number | null): string {
  return threshold === null ? "Every verdict" : `At least ${formatPercent(threshold)} sure`;
}

/** One choice of how sure the judge must be, with what it would have come to. */
export function choiceWords({ threshold, labels_an_answer, same_share }: ReplayedRouting): string {
  return `${thresholdWords(threshold)}: ${formatFixedNumber(labels_an_answer, 2)} labels per answer, ${formatPercent(same_share.value)} the same`;
}

/** What one choice saves, and how much could end otherwise. */
export function savingWords({ labels_an_answer, fixed, same_share }: ReplayedRouting): string {
  const saving = `${formatFixedNumber(labels_an_answer, 2)} labels per answer instead of ${formatFixedNumber(fixed, 2)}`;
  if (same_share.low === null) return `${saving}. Too few questions to bound the error.`;
  return `${saving}. At most ${formatPercent(1 - same_share.low)} of the answers would have ended with another label (95 % confidence).`;
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
      ? `${countOf(weighed, "answer")} given back`
      : `${formatCount(stopped)} of ${countOf(weighed, "answer")} settled with one rater`;
  return `${settled} · ${formatPercent(audit_share)} drawn for the audit${reason && ` · ${reason}`}`;
}

/** What it has come to so far. */
export function progressWords(figures: RoutingFigures): string {
  const { weighed, labels_an_answer, stopped_share, open } = figures;
  if (weighed === 0) return "No rater has judged an answer under this rule yet.";
  const waiting =
    open > 0 ? ` ${countOf(open, "answer")} still ${open === 1 ? "waits" : "wait"} for further raters.` : "";
  return `${countOf(weighed, "answer")} judged: ${formatFixedNumber(labels_an_answer, 2)} labels per answer so far, ${formatPercent(stopped_share)} settled with one rater.${waiting}`;
}

/** What the audit says of the error. */
export function auditWords({ drawn, decided, changed, residual }: RoutingFigures): string {
  if (drawn === 0) return "No answer on which both agreed has been drawn for the audit yet.";
  if (decided === 0) return `${countOf(drawn, "answer")} drawn for the audit, none decided yet.`;
  const counts = `Audit: ${formatCount(changed)} of ${countOf(decided, "answer")} ended with another label than the first rater’s`;
  if (residual.high === null) return `${counts}.`;
  return `${counts}. So at most ${formatPercent(residual.high)} of all answers judged under the rule have another label than the full protocol would give (95 % confidence, at every look).`;
}
