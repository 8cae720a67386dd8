/** Certificates in words. */
import type { CertificateLine, SampleProgress } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import type { RuleDraft } from "./policy-form";

/** What is promised, and what is not. */
export const CERTIFICATE_PROMISE =
  "A certificate promises that people would disagree with at most the share you allow of what a rule settles, except for the risk you choose. It promises nothing about single answers or later imports, and it lapses if those differ.";

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

/** Who has to act next on the open ones. */
function leftWords(open: number, waiting: number): string {
  const forRaters = open - waiting;
  const rest =
    forRaters > 0 ? `Raters get ${formatCount(forRaters)} of the others before all other work.` : "";
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
  "A certificate promises at most a share of errors; the audit measures it afterwards. The audit does not contradict the certificate while the lower end of its interval is below the promised share. Once it is above, the certificate lapses.";

/** What a sample costs, where the protocol says how many raters an answer has first. */
export function judgmentsWords(size: string, raters: number | undefined): string {
  if (raters === undefined || !isCount(size)) return "";
  const judgments = Number(size) * raters;
  return `${countOf(Number(size), "answer")}, about ${countOf(judgments, "judgment")}: each answer has ${countOf(raters, "rater")}. Answers on which they differ may take more.`;
}

/** What it rests on, and what trying again costs. */
export function triesWords({ alpha, delta, spent, number, labels }: CertificateLine): string {
  return `At most ${formatPercent(alpha)} wrong, risk ${formatPercent(delta)}, from ${countOf(labels, "label")}. Try ${number} on this sample: it was given a risk of ${formatPercent(roundUp(spent))}, and each further try gets half of that, since whoever tries often enough finds something by chance.`;
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
