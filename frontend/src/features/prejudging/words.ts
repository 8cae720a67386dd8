/** Pre-judging in words. */
import type { AppliedPolicy, AuditReport, Policy, Preview } from "../../api/schema";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";

const WORKING: readonly string[] = ["queued", "running", "undoing"];

export function isAtWork(policy: Policy | undefined): boolean {
  return policy?.applications.some(({ state }) => WORKING.includes(state)) ?? false;
}

/** Settled how many, and how often people disagreed: the page's answer in a line. */
export function headlineOf(audit: AuditReport): string {
  if (audit.rules.length === 0) return "People judge every answer: no policy is in force.";
  const { settled, drawn, disagreed, decided, share, unaudited, words } = audit.pooled;
  const settledWords = `Programs settled ${countOf(settled - drawn, "answer")}.`;
  if (share.value === null) return `${settledWords} ${words}`;
  return `${settledWords} People disagreed with ${disagreed} of ${decided} they audited: ${formatPercent(share.value)}, interval from ${formatPercent(share.low)} to ${formatPercent(share.high)}.${unaudited > 0 ? ` ${countOf(unaudited, "answer")} stand unaudited.` : ""}`;
}

/** For what the intervals hold: an audit is watched while it grows, and rules are undone for how it looks. */
export function watchedWords({ watched }: Pick<AuditReport, "watched">): string {
  const looks = "Intervals hold however often one looks while the audit grows";
  if (watched < 2) return `${looks}.`;
  return `${looks}, and whichever of the ${formatCount(watched)} rules applied so far are undone for how they look, so they are wider than those of one look at one rule. A rule counts once for each application it was in, those undone among them.`;
}

/** Rules that were applied and undone, or saved from a script, are shown as set, and settle nothing. */
export function isSavedOnly({ rules, applications }: Pick<Policy, "rules" | "applications">): boolean {
  return rules.length > 0 && applications.every(({ state }) => state === "undone");
}

/** Of rules that were changed and not applied. */
export const NOT_APPLIED =
  "You have changes that are not applied. They stay in this browser while you look at other pages.";

const STATES: Readonly<Record<AppliedPolicy["state"], string>> = {
  queued: "waits for a worker",
  running: "at work",
  done: "in force",
  undoing: "being undone",
  undone: "undone",
};

export function stateWords(application: AppliedPolicy): string {
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

/** A share as it is typed: .975 is 97.5, not 97.49999. */
export function inPercent(share: number): number {
  return Number((share * 100).toPrecision(12));
}

/** Whether what is typed says how sure a judge must be, in per cent: less than half is not sure of anything. */
export function isSureness(percent: string): boolean {
  const sure = Number(percent);
  return percent.trim() !== "" && sure >= 50 && sure <= 100;
}

/** What "90 % sure" means of these judges. */
export function sureHint(runs: Policy["runs"]): string {
  const silent = runs.find(({ sureness, judged }) => sureness === "none" && judged > 0);
  if (silent) return `${silent.name} does not say how sure it is. Let every verdict count.`;
  if (runs.some(({ sureness }) => sureness === "score")) {
    return "By the judge’s score: 90 means a score of at least 0.9 for correct, of at most 0.1 for incorrect.";
  }
  return "By the probability that the judge states. It may be too sure of itself: look at what people decided.";
}

/** Nobody will know how often it errs: none of its answers could be drawn. */
export function isUnaudited({ audit_share, decided }: AppliedPolicy): boolean {
  return audit_share === 0 && decided > 0;
}

/** What a policy would do, each open answer counted once: `to_people` holds those drawn for the audit, too. */
export function previewWords({
  decided,
  drawn,
  to_people,
}: Pick<Preview, "decided" | "drawn" | "to_people">): string {
  return `${formatCount(decided)} would be settled, ${formatCount(drawn)} drawn for the audit, ${formatCount(to_people - drawn)} left to people`;
}

/** What trying rules on decided answers promises, and what it does not. */
export const BESIDE_PEOPLE_PROMISE =
  "Before anything is settled, each rule is tried on the answers that people have decided. That shows how it erred there; it does not promise the same for answers still open, which may be of another kind. Only a certificate and the audit do.";

/** How often a rule would have said otherwise than people. */
export function besidePeopleWords({
  settled,
  wrong,
  share,
}: Preview["rules"][number]["beside_people"]): string {
  if (settled === 0)
    return "Among the answers that people decided it finds none, so nothing says how often it errs.";
  const counts = `Of ${countOf(settled, "answer")} that people decided, it would have got ${formatCount(wrong)} wrong`;
  if (share.low === null) return `${counts}: too few to say more.`;
  return `${counts}: ${formatPercent(share.value)}, interval from ${formatPercent(share.low)} to ${formatPercent(share.high)}.`;
}

type Counts = Pick<AppliedPolicy, "decided" | "drawn" | "undone" | "undone_draws">;

export function countWords({ decided, drawn, undone, undone_draws }: Counts): string {
  const words = [
    (decided > 0 || undone === 0) && `${countOf(decided, "answer")} settled`,
    (drawn > 0 || undone === 0) && `${formatCount(drawn)} drawn for the audit`,
    undone > 0 &&
      `${countOf(undone - undone_draws, "settled answer")} and ${countOf(undone_draws, "audit draw")} given back`,
  ];
  return words.filter(Boolean).join(" · ");
}

export const AUDIT_HINT =
  "Drawn at random and unmarked. This audit measures how often the rules are wrong and corrects the scores. It cannot be raised later for answers that are settled already.";

const AUDIT_SHARES = [0.05, 0.1, 0.2];
const REACH = 1.96;
/** What is assumed of how often a rule errs; a certified one seldom errs more. */
const ASSUMED_ERROR = 0.05;

/** What some shares cost in answers, and how sure they make one of the rules’ error over all systems. */
export function auditBuysWords({ decided, drawn }: Pick<Preview, "decided" | "drawn">): string {
  const settled = decided + drawn;
  const shares = AUDIT_SHARES.map((share) => {
    const seen = Math.max(1, Math.round(settled * share));
    const error = REACH * Math.sqrt((ASSUMED_ERROR * (1 - ASSUMED_ERROR) * (1 - share)) / seen);
    return `${formatPercent(share, 0)} draws about ${countOf(seen, "answer")} (± ${formatPoints(error)} points)`;
  });
  return `What an audit buys, if the rules err on 5 % of what they settle: ${shares.join(", ")}, for all systems together. One system’s interval is about as much wider as its answers are fewer: with four alike systems about twice. Choose now: for answers that are settled the share cannot be raised.`;
}

/** What the settled answers would have cost people; empty where nothing is settled, or no protocol says. */
export function savedWords({ pooled, rules }: AuditReport, raters: number | undefined): string {
  const settled = rules.length === 0 ? 0 : pooled.settled - pooled.drawn;
  if (raters === undefined || settled === 0) return "";
  return `Work saved: ${countOf(settled, "answer")} settled without people, which would have needed at least ${countOf(settled * raters, "judgment")}.`;
}
