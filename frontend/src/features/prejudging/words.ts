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

const UNFINISHED: Readonly<Record<string, string>> = {
  queued: "still at work",
  running: "still at work",
  paused: "paused",
  sampled: "only a sample",
  failed: "failed in part",
  cancelled: "stopped",
};

/** What a rule would read of a run: whatever verdicts it has, even where it never came to its end. */
export function runWords({ name, judged, state }: Policy["runs"][number]): string {
  const words = [countOf(judged, "verdict"), UNFINISHED[state]].filter(Boolean);
  return `${name} (${words.join(", ")})`;
}

/** What tells a run from others of its name; undefined where there are none. */
export function tellApart(run: Policy["runs"][number], runs: Policy["runs"]): string | undefined {
  return runs.some(({ id, name }) => id !== run.id && name === run.name) ? run.signature : undefined;
}

export function countWords({ decided, drawn, undone }: PolicyApplication): string {
  const words = [
    `${countOf(decided, "answer")} settled`,
    `${countOf(drawn, "answer")} drawn for raters`,
    ...(undone > 0 ? [`${countOf(undone, "answer")} given back`] : []),
  ];
  return words.join(" · ");
}
