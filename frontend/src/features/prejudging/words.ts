/** Pre-judging in words. */
import type {
  AppliedPolicy,
  AuditReport,
  DecidedBy,
  ExpectedAtShare,
  Policy,
  PolicyPreview,
  SampleProgress,
} from "../../api/schema";
import { calibrationWords, settledCount } from "../../domain/settled-notice";
import { listOf } from "../../lib/lists";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";

const WORKING: readonly string[] = ["queued", "running", "undoing"];

export function isAtWork(policy: Policy | undefined): boolean {
  return policy?.applications.some(({ state }) => WORKING.includes(state)) ?? false;
}

/** Settled how many, and how often people disagreed: the page's answer in a line. */
export function headlineOf(audit: AuditReport, sample: SampleProgress | null = null): string {
  const running = sample && sample.open > 0 ? calibrationWords(sample) : "";
  if (audit.rules.length === 0)
    return running
      ? `No policy is active. ${running}${sample?.holds_others ? " Annotators get no other answers until you apply a policy." : ""}`
      : "People judge every answer. No policy is active.";
  const { disagreed, decided, share, unaudited, words } = audit.pooled;
  const settledWords = `Automatic judges settled ${countOf(settledCount(audit), "answer")}.`;
  if (share.value === null) return `${settledWords} ${words}`;
  return `${settledWords} People disagreed with them on ${formatCount(disagreed)} of ${countOf(decided, "audited answer")}: observed error rate ${sharedWords(share)}.${unaudited > 0 ? ` ${countOf(unaudited, "answer")} ${unaudited === 1 ? "was" : "were"} settled without an audit.` : ""}`;
}

/** A share with its interval. */
function sharedWords({
  value,
  low,
  high,
}: Pick<AuditReport["pooled"]["share"], "value" | "low" | "high">): string {
  return `${formatPercent(value)} (95% interval ${formatPercent(low)} to ${formatPercent(high)})`;
}

/** For what the intervals hold: an audit is watched while it grows, and rules are undone for how it looks. */
export function watchedWords({ watched }: Pick<AuditReport, "watched">): string {
  const looks = "Intervals stay valid no matter how often you check them during the audit.";
  if (watched < 2) return looks;
  return `${looks} They also stay valid if audit results lead you to undo any of the ${formatCount(watched)} rules applied so far. Allowing for this makes the intervals wider. A rule counts once for each application that included it, even if you undid it.`;
}

/** Rules that were applied and undone, or saved from a script, are shown as set, and settle nothing. */
export function isSavedOnly({ rules, applications }: Pick<Policy, "rules" | "applications">): boolean {
  return rules.length > 0 && applications.every(({ state }) => state === "undone");
}

/** Of rules that were changed and not applied. */
export const NOT_APPLIED = "You have changes that are not applied. They are saved in this browser.";

const STATES: Readonly<Record<AppliedPolicy["state"], string>> = {
  queued: "waiting",
  running: "running",
  done: "active",
  undoing: "undoing",
  undone: "undone",
};

export function stateWords(application: AppliedPolicy): string {
  return STATES[application.state];
}

const UNFINISHED: Readonly<Record<string, string>> = {
  queued: "waiting",
  running: "running",
  paused: "paused",
  sampled: "sample only",
  failed: "failed",
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

/** What "90% sure" means of these judges. */
export function sureHint(runs: Policy["runs"]): string {
  const silent = runs.find(({ sureness, judged }) => sureness === "none" && judged > 0);
  if (silent) return `${silent.name} does not report its confidence. Choose “Use every verdict.”`;
  if (runs.some(({ sureness }) => sureness === "score")) {
    return "Based on the judge’s score: 90 means at least 0.9 for correct and at most 0.1 for incorrect.";
  }
  return "Based on the probability that the judge states. The judge may be overconfident, so compare its verdicts with people’s decisions.";
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
}: Pick<PolicyPreview, "decided" | "drawn" | "to_people">): string {
  return `${formatCount(decided)} would be settled, ${formatCount(drawn)} sampled for the audit, and ${formatCount(to_people - drawn)} left to people`;
}

/** What applying a policy does at once, before it is done. */
export function appliesWords({
  decided,
  drawn,
  to_people,
}: Pick<PolicyPreview, "decided" | "drawn" | "to_people">): string {
  return `Automatic judges will settle ${countOf(decided, "answer")} without human review. People will judge ${formatCount(drawn)} in the audit and the ${formatCount(to_people - drawn)} that no rule settles.`;
}

export const HOW_TO_UNDO =
  "To undo this, choose “Undo all” under “Policy applications.” The settled answers then go to annotators. Decisions that people made after the policy was applied do not change.";

/** How many answers people still judge, and how sure the least sure and the median system's scores then are. */
export function precisionWords({ to_people, scores }: Pick<PolicyPreview, "to_people" | "scores">): string {
  const known = scores.filter(({ half_width }) => half_width !== null).toSorted(byHalfWidth);
  const lacking = scores.length - known.length;
  const worst = known.at(-1);
  return [
    `People would still judge ${countOf(to_people, "answer")}.`,
    worst && withinWords(known, worst),
    lacking > 0 &&
      `${lacking === scores.length ? "No system would have a score" : `${countOf(lacking, "system")} would have no score`}, because too few settled answers would be audited. Increase the audit share.`,
  ]
    .filter(Boolean)
    .join(" ");
}

type Expected = PolicyPreview["scores"][number];

function byHalfWidth(left: Expected, right: Expected): number {
  return (left.half_width ?? 0) - (right.half_width ?? 0);
}

function withinWords(known: readonly Expected[], worst: Expected): string {
  const all = known.map(({ by_people }) => by_people).toSorted((left, right) => left - right);
  const plusMinus = (share: number | null | undefined) => `±${formatPoints(share)}`;
  if (known.length === 1)
    return `The score of ${worst.label} would then be known to within ${plusMinus(worst.half_width)} points, or to within ${plusMinus(worst.by_people)} points if people judged every answer.`;
  return `Scores would then be known to within ${plusMinus(medianOf(known)?.half_width)} points for the median system and ${plusMinus(worst.half_width)} points for the least certain one, ${worst.label}. If people judged every answer, scores would be known to within ${plusMinus(medianOf(all))} points for the median system and ${plusMinus(all.at(-1))} points for the least certain one.`;
}

/** The upper one of two, so that no more is promised than is expected of half the systems. */
function medianOf<Value>(sorted: readonly Value[]): Value | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}

interface Widths {
  /** Of all systems, where one without a score is the least certain; null where the median one has none. */
  readonly median: number | null;
  /** Of those that have a score; null where none has. */
  readonly widest: number | null;
  /** How many systems have no score. */
  readonly lacking: number;
}

/** How precise the scores are at an audit share; the wider of two is the median, as above. */
export function widthsOf({ half_widths }: Pick<ExpectedAtShare, "half_widths">): Widths {
  const known = half_widths.filter((width) => width !== null).toSorted((left, right) => left - right);
  return {
    median: known[Math.floor(half_widths.length / 2)] ?? null,
    widest: known.at(-1) ?? null,
    lacking: half_widths.length - known.length,
  };
}

/** What the next larger share with scores for all systems costs and brings; empty where there is none. */
export function largerShareWords(rows: readonly ExpectedAtShare[], chosen: number): string {
  const own = rows.find(({ audit_share }) => audit_share === chosen);
  const larger = rows.find((row) => row.audit_share > chosen && widthsOf(row).lacking === 0);
  if (!own || !larger) return "";
  const before = widthsOf(own);
  const after = `±${formatPoints(widthsOf(larger).widest)}`;
  const instead = before.lacking > 0 ? "" : ` instead of ±${formatPoints(before.widest)}`;
  const who = own.half_widths.length > 1 ? " for the least certain system" : "";
  const shares = `an audit share of ${shareOf(larger)} instead of ${shareOf(own)}`;
  return `With ${shares}, people would judge ${countOf(larger.to_people - own.to_people, "more answer")}, and scores would be known to within ${after}${instead} points${who}.`;
}

function shareOf({ audit_share }: ExpectedAtShare): string {
  return `${inPercent(audit_share)}%`;
}

/** What the table of audit shares counts as work. */
export function costWords(rows: readonly ExpectedAtShare[], perHour: number | null): string {
  const hasSeveral = rows.some(({ judgments, to_people }) => judgments !== to_people);
  return [
    "A larger share includes all the answers in a smaller one, and more.",
    hasSeveral && "Answers on which annotators disagree need more judgments than shown.",
    perHour !== null &&
      `Hours are annotators’ time at their pace so far, ${countOf(Math.round(perHour), "judgment")} per hour.`,
  ]
    .filter(Boolean)
    .join(" ");
}

export function hoursWords(hours: number): string {
  if (hours < 0.05) return "< 0.1";
  return hours < 9.95 ? hours.toFixed(1) : formatCount(Math.round(hours));
}

/** On what the expected precision rests. */
export function assumedWords({ wrong_share, tried }: Pick<PolicyPreview, "wrong_share" | "tried">): string {
  if (wrong_share === null) return "";
  const share = `This assumes that people disagree with the rules on about ${formatPercent(wrong_share)} of the settled answers`;
  return tried > 0
    ? `${share}, based on the ${countOf(tried, "answer")} in the test below.`
    : `${share}. This is a rough guess, because people have not decided any answers that could test the rules.`;
}

/** What trying rules on decided answers promises, and what it does not. */
export const BESIDE_PEOPLE_PROMISE =
  "The preview tests each rule on answers that people have decided. Open answers may differ from these, so the error rate may differ, too. Only a certificate or the audit applies to open answers.";

/** How often a rule would have said otherwise than people. */
export function besidePeopleWords({
  settled,
  wrong,
  share,
}: PolicyPreview["rules"][number]["beside_people"]): string {
  if (settled === 0)
    return "People have decided no answers that this rule would settle, so its error rate is unknown.";
  const counts = `Among ${countOf(settled, "answer")} that people have decided and that this rule would settle, the rule disagrees with people on ${formatCount(wrong)}`;
  if (share.low === null) return `${counts}. That is too few answers to estimate its error rate.`;
  return `${counts}: observed error rate ${sharedWords(share)}.`;
}

/** What becomes of the gold list, which takes up what counts as correct, whoever says so. */
export function goldWords({ accepted }: Pick<PolicyPreview, "accepted">): string {
  if (accepted === 0) return "";
  return `${formatCount(accepted)} of the settled answers would count as correct. Any that are not yet on the gold list would be added to it. If you then undid the policy, they would be removed.`;
}

/** Of a single judge “any of them” and “all of them” are the same. */
const OF_ONE: Readonly<Record<string, string>> = {
  any_accepts: "the judge accepts: correct",
  all_accept: "the judge accepts: correct",
  any_rejects: "the judge rejects: incorrect",
  all_reject: "the judge rejects: incorrect",
  all_agree: "the judge’s verdict, correct or incorrect",
};

interface ConditionOption {
  readonly value: Policy["conditions"][number]["key"];
  readonly name: string;
}

/** The conditions to choose from, in words for as many judges as the rule has. */
export function conditionOptions(
  conditions: Policy["conditions"],
  { runs, condition: chosen }: { readonly runs: readonly string[]; readonly condition: string },
): readonly ConditionOption[] {
  if (runs.length !== 1) return conditions.map(({ key, name }) => ({ value: key, name }));
  const options = new Map<string, ConditionOption>();
  for (const { key, name } of conditions) {
    const words = OF_ONE[key] ?? name;
    if (!options.has(words) || key === chosen) options.set(words, { value: key, name: words });
  }
  return [...options.values()];
}

type Counts = Pick<AppliedPolicy, "decided" | "drawn" | "undone" | "undone_draws">;

export function countWords({ decided, drawn, undone, undone_draws }: Counts): string {
  const words = [
    (decided > 0 || undone === 0) && `${countOf(decided, "answer")} settled`,
    (drawn > 0 || undone === 0) && `${formatCount(drawn)} sampled for the audit`,
    undone > 0 &&
      `${countOf(undone - undone_draws, "settled answer")} and ${countOf(undone_draws, "audited answer")} returned to annotators`,
  ];
  return words.filter(Boolean).join(" · ");
}

export const AUDIT_HINT =
  "Random share of the answers that the rules match. People judge these answers anyway. Annotators cannot tell which ones they are. From the audit, Assay estimates the error rate of the rules and uses it to correct the scores. To increase the share for answers that are already settled, undo the policy and apply it again.";

const AUDIT_SHARES = [0.05, 0.1, 0.2];
const REACH = 1.96;
/** What is assumed of how often a rule errs; a certified one seldom errs more. */
const ASSUMED_ERROR = 0.05;

/** What some shares cost in answers, and how sure they make one of the rules’ error over all systems. */
export function auditBuysWords({ decided, drawn }: Pick<PolicyPreview, "decided" | "drawn">): string {
  const settled = decided + drawn;
  const shares = AUDIT_SHARES.map((share, place) => {
    const seen = Math.max(1, Math.round(settled * share));
    const error = REACH * Math.sqrt((ASSUMED_ERROR * (1 - ASSUMED_ERROR) * (1 - share)) / seen);
    return `${formatPercent(share, 0)}${place === 0 ? " gives" : ""} about ${countOf(seen, "answer")} (observed error rate ±${formatPoints(error)} points)`;
  });
  return `If the rules’ error rate is 5%, an audit share of ${listOf(shares)}. These 95% margins are for the error rate over all systems together.`;
}

/** What the settled answers would have cost people; empty where nothing is settled, or no protocol says. */
export function savedWords(audit: AuditReport, raters: number | undefined): string {
  const settled = settledCount(audit);
  if (raters === undefined || settled === 0) return "";
  return `Work saved: at least ${countOf(settled * raters, "judgment")} on ${countOf(settled, "answer")}.`;
}

export interface Part {
  readonly name: string;
  readonly count: number;
  readonly share: number;
}

/** All answers by who decided them, as the methods text names the parts; the last row is their sum. */
export function partsOf(counts: DecidedBy): readonly Part[] {
  const parts: readonly (readonly [string, number])[] = [
    ["Settled by automatic judges", counts.settled],
    ["Decided by one annotator and an automatic judge", counts.routed],
    ["Audit, decided by people", counts.audited],
    ["Calibration sample, decided by people", counts.calibrated],
    ["Other work, decided by people", counts.others],
    ["Not decided yet", counts.open],
  ];
  return [...parts.filter(([, count]) => count > 0), ["All answers", counts.answers] as const].map(
    ([name, count]) => ({ name, count, share: count / counts.answers }),
  );
}
