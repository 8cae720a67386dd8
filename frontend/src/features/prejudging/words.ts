/** Pre-judging in words. */
import type { Audit, Policy, PolicyApplication } from "../../api/contract";
import { countOf, formatPercent } from "../../lib/numbers";

const WORKING: readonly string[] = ["queued", "running", "undoing"];

export function isAtWork(policy: Policy | undefined): boolean {
  return policy?.applications.some(({ state }) => WORKING.includes(state)) ?? false;
}

/** Settled how many, and how often people disagreed: the page's answer in a line. */
export function headlineOf(audit: Audit): string {
  if (!audit.pooled) return "People judge every answer: no policy is in force.";
  const { settled, disagreed, decided, share, low, high, words } = audit.pooled;
  const settledWords = `Machines settled ${countOf(settled, "answer")}.`;
  if (share === null) return `${settledWords} ${words}`;
  return `${settledWords} People disagreed with ${disagreed} of ${decided} they audited: ${formatPercent(share)}, interval from ${formatPercent(low)} to ${formatPercent(high)}.`;
}

const STATES: Readonly<Record<PolicyApplication["state"], string>> = {
  queued: "waits for a worker",
  running: "at work",
  done: "in force",
  undoing: "being undone",
  undone: "undone",
};

export function stateWords(application: PolicyApplication): string {
  return STATES[application.state];
}

export function countWords({ decided, drawn, undone }: PolicyApplication): string {
  const words = [
    `${countOf(decided, "answer")} settled`,
    `${countOf(drawn, "answer")} drawn for raters`,
    ...(undone > 0 ? [`${countOf(undone, "answer")} given back`] : []),
  ];
  return words.join(" · ");
}
