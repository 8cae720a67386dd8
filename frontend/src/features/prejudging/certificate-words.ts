/** Certificates in words. */
import type { CertificateLine, SampleProgress } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import type { RuleDraft } from "./draft";

/** What is promised, and what is not. */
export const CERTIFICATE_PROMISE =
  "A certificate promises that people would disagree with at most the share you allow of what a rule settles. The risk you choose is the chance that this is wrong. Nothing is promised about single answers, and a certificate lapses if answers imported later are of another kind.";

/** A certificate of 5 % at a risk of 10 %, of which the first try is given half, with no error seen. */
const FEWEST_LABELS = 148;

export function costOfSample(drawable: number): string {
  const few = drawable < FEWEST_LABELS ? " There are too few for that now." : "";
  return `Drawn at random from ${countOf(drawable, "open answer")}. Raters get them before all other work, unmarked, and no rule settles them. Proving at most 5 % wrong takes at least ${FEWEST_LABELS}.${few} With 300 to 600, more can be settled.`;
}

export function isCount(typed: string): boolean {
  const size = Number(typed);
  return typed.trim() !== "" && Number.isInteger(size) && size >= 1 && size <= 10_000;
}

export function sampleWords({
  number,
  drawn,
  decided,
  open,
  waiting,
  gone,
  population,
}: SampleProgress): string {
  const lost =
    gone > 0 ? ` ${countOf(gone, "answer")} of it will never be decided by people and left it.` : "";
  const sample = `Sample ${number}: ${countOf(drawn, "answer")} drawn at random from ${formatCount(population)}.`;
  if (open === 0)
    return `${sample} People have decided all ${formatCount(decided)}. Add a rule above, choose its judge, then choose “Certify this rule”.${lost}`;
  return `${sample} ${formatCount(decided)} of ${formatCount(decided + open)} calibration answers are judged. ${leftWords(open, waiting)} Rules can be certified once all are judged.${lost}`;
}

function leftOf(count: number): string {
  return count === 1 ? "the one that is left" : `the ${formatCount(count)} that are left`;
}

/** Who has to act next on the open ones. */
function leftWords(open: number, waiting: number): string {
  const forRaters = open - waiting;
  const rest = forRaters > 0 ? `Raters get ${leftOf(forRaters)} before all other work.` : "";
  const queued =
    waiting > 0
      ? `${countOf(waiting, "answer")} ${waiting === 1 ? "waits" : "wait"} in the queue for your decision.`
      : "";
  return [rest, queued].filter(Boolean).join(" ");
}

interface State {
  readonly words: string;
  readonly tone: Tone;
}

export function certificateState({ threshold, lapse }: CertificateLine): State {
  if (threshold === null) return { words: "refused", tone: "danger" };
  return lapse ? { words: "lapsed", tone: "warning" } : { words: "holds", tone: "success" };
}

/** Why a row with a low bound is no certificate. */
export const IN_ORDER =
  "Each row’s bound holds for that row alone. A certificate tests the rows in order, from the 40 % most confident answers on, and stops at the first that fails; each further try on the sample has half the risk to spend. So nobody can pick the best row afterwards.";

/** What a lead may do where nothing was certified: nothing is lost. */
export const AFTER_REFUSAL =
  "Nothing is settled by this rule with a promise. Rows are tested in order, from the 40 % most confident answers on, so a row further down with a lower bound does not count. Draw more answers, allow a larger share, certify the rule of another judge, or let people judge the answers.";

/** How sure a judge must be, rounded down as the rule’s own text has it. */
export function formatSureness(threshold: number): string {
  return formatPercent(roundDown(threshold));
}

export function roundDown(share: number): number {
  return Math.floor(Number((share * 1000).toFixed(6))) / 1000;
}

function roundUp(share: number): number {
  return Math.ceil(Number((share * 1000).toFixed(6))) / 1000;
}

/** How an audit and a certificate of the same rule relate. */
export const AUDIT_BESIDE_CERTIFICATE =
  "The audit checks the certificate afterwards. It has caught a rule out only if its whole interval, the lower end too, is above the promised share; then the certificate lapses. An interval that reaches above the promised share, but starts below it, is too wide to tell: it is no sign of an error.";

/** What a sample costs, where the protocol says how many raters an answer has first. */
export function judgmentsWords(size: string, raters: number | undefined): string {
  if (raters === undefined || !isCount(size)) return "";
  const judgments = Number(size) * raters;
  return `${countOf(Number(size), "answer")}, about ${countOf(judgments, "judgment")}: each answer has ${countOf(raters, "rater")}. Answers on which they differ may take more.`;
}

/** What it rests on, and what trying again costs. */
export function triesWords({ alpha, delta, spent, number, labels }: CertificateLine): string {
  return `From ${countOf(labels, "label")}, with at most ${formatPercent(alpha)} wrong. You allowed a risk of ${formatPercent(delta)} for all tries on this sample together, since whoever tries often enough finds something by chance. This was try ${number}, which used ${formatPercent(roundUp(spent))} of it; the next one could use half as much, so it would be harder to pass.`;
}

export function optionWords({ sample, number, alpha, settled_share, lapse }: CertificateLine): string {
  const state = lapse ? "lapsed" : `settles ${formatPercent(settled_share)}`;
  return `Certificate ${sample}.${number}: at most ${formatPercent(alpha)} wrong, ${state}`;
}

/** The certificates that a rule could carry: given, and for what it reads. */
export function certificatesOf(
  { runs, condition, sure }: RuleDraft,
  certificates: readonly CertificateLine[],
): readonly CertificateLine[] {
  return certificates.filter(
    (each) =>
      each.threshold !== null &&
      each.by_score === (sure !== null) &&
      each.condition === (condition as string) &&
      each.runs.join() === runs.join(),
  );
}

/** Whether what is typed is a level in per cent. */
export function isLevel(percent: string): boolean {
  const level = Number(percent);
  return percent.trim() !== "" && level >= 0.1 && level <= 50;
}

/** What becomes of a sample that is not judged yet. */
export const GIVING_UP =
  "Judgments stay, but nothing can be certified from it, and rules may settle what nobody has judged yet.";

/** What becomes of a judged one. */
export const CLOSING = "Judgments and certificates stay.";

/** What raters are given while a sample waits for the lead’s decision. */
export const HOLD = "Raters get only the sample until you have decided about it";
export const HOLD_HINT =
  "Otherwise they go on to answers that a rule could have settled without them. It ends when you apply a policy, or when you end it here.";
export const HOLDING =
  "Raters get only this sample until you apply a policy. When it is judged, they see that there is nothing to judge right now; they are not told why.";
export const NOT_HOLDING =
  "Raters go on to other answers after the sample, also to those that a rule could settle without them.";
