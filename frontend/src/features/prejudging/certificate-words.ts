/** Certificates in words. */
import type { CertificateLine, SampleProgress } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import type { RuleDraft } from "./draft";

/** What no certificate promises. */
export const CERTIFICATE_LIMITS =
  "A certificate is about what the people in this study would decide, not about what is true. It covers all the answers that the rule settles, taken together, not individual answers or the answers of one system.";

/** What is promised, and what is not. */
export const CERTIFICATE_PROMISE = `A certificate limits how often people would disagree with a rule. You choose the maximum error rate and the risk of exceeding it. ${CERTIFICATE_LIMITS} It lapses if answers that you import later differ from the sample.`;

/** A certificate of 5% at a risk of 10%, of which the first try is given half, with no error seen. */
const FEWEST_LABELS = 148;

export function costOfSample(drawable: number): string {
  const more =
    drawable < FEWEST_LABELS
      ? "There are too few open answers for that, so this sample cannot certify a rule at that rate."
      : "With 300 to 600, a rule can usually settle more.";
  return `Sampled at random from ${countOf(drawable, "open answer")}. Annotators judge the sampled answers first and cannot tell which ones they are. Certifying a maximum error rate of 5% takes at least ${FEWEST_LABELS} answers. ${more}`;
}

export function isCount(typed: string): boolean {
  const size = Number(typed);
  return typed.trim() !== "" && Number.isInteger(size) && size >= 1 && size <= 10_000;
}

const ADD_RULE = "Add a rule under “Policy,” choose its judge, then choose “Certify this rule.”";

export function sampleWords(progress: SampleProgress, next = ADD_RULE): string {
  const { number, drawn, decided, open, waiting, gone, population } = progress;
  const lost =
    gone > 0
      ? ` ${countOf(gone, "answer")} ${gone === 1 ? "was" : "were"} removed from the sample because people will not decide ${gone === 1 ? "it" : "them"}.`
      : "";
  const sample = `Sample ${number}: ${countOf(drawn, "answer")}, sampled at random from ${formatCount(population)}.`;
  if (open === 0) return `${sample} People have decided all ${formatCount(decided)}. ${next}${lost}`;
  return `${sample} People have decided ${formatCount(decided)} of ${formatCount(decided + open)}. ${leftWords(open, waiting)} You can certify rules when people have decided all of them.${lost}`;
}

/** What a lead does with a sample that people have decided: certify, then apply what is certified. */
export function nextWords(certificates: readonly CertificateLine[], isApplied: boolean): string {
  if (!certificates.some(({ threshold, lapse }) => threshold !== null && lapse === "")) return ADD_RULE;
  return isApplied
    ? "A rule is certified, and a policy is active."
    : "A rule is certified. Preview the policy under “Policy,” then save and apply it.";
}

function leftOf(count: number): string {
  return count === 1 ? "the remaining answer" : `the remaining ${countOf(count, "answer")}`;
}

/** Who has to act next on the open ones. */
function leftWords(open: number, waiting: number): string {
  const forRaters = open - waiting;
  const rest = forRaters > 0 ? `Annotators judge ${leftOf(forRaters)} before all other work.` : "";
  const queued =
    waiting > 0
      ? `${countOf(waiting, "answer")} ${waiting === 1 ? "is" : "are"} in the queue for your decision.`
      : "";
  return [rest, queued].filter(Boolean).join(" ");
}

interface State {
  readonly words: string;
  readonly tone: Tone;
}

export function certificateState({ threshold, lapse }: CertificateLine): State {
  if (threshold === null) return { words: "not granted", tone: "danger" };
  return lapse ? { words: "lapsed", tone: "warning" } : { words: "valid", tone: "success" };
}

/** Why a row with a low bound is no certificate. */
export const IN_ORDER =
  "Each row’s upper bound is valid for that row alone. Rows are tested in order, starting with the 40% of answers that have the highest confidence, and testing stops at the first row that fails. This prevents anyone from picking the best row afterward. Each new attempt on the same sample gets half the risk of the previous one.";

/** What a lead may do where nothing was certified: nothing is lost. */
export const AFTER_REFUSAL =
  "This rule has no certificate. Rows are tested in order, starting with the 40% of answers that have the highest confidence, so a smaller upper bound in a later row does not count. You can create a larger sample, allow a higher maximum error rate, certify a rule with another judge, or let people judge the answers.";

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

/** What a sample costs, where the protocol says how many raters an answer has first. */
export function judgmentsWords(size: string, raters: number | undefined): string {
  if (raters === undefined || !isCount(size)) return "";
  const judgments = Number(size) * raters;
  return `This sample takes about ${countOf(judgments, "judgment")}: ${countOf(raters, "annotator")} for each answer, and more if annotators disagree.`;
}

export interface Level {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly meaning: string;
}

/** The shares of a certificate, each with its one name and what it is. */
export function levelsOf(certificate: CertificateLine): readonly Level[] {
  const { alpha, delta, spent, number, settled_labels: seen, errors, upper, threshold } = certificate;
  const tested = roundUp(spent);
  const which =
    threshold === null
      ? `${countOf(seen, "answer")} with the highest confidence`
      : `${countOf(seen, "answer")} that it would settle`;
  const measured =
    seen === 0 || upper === null
      ? []
      : [
          {
            name: "Observed error rate",
            share: errors / seen,
            meaning: `In the calibration sample, people disagreed with the rule on ${formatCount(errors)} of the ${which}.${shareOfSample(certificate)}`,
          },
          {
            name: "Upper bound",
            share: upper,
            meaning: `The test of this attempt, at ${formatPercent(1 - tested)} confidence: the rule’s error rate is at most this.`,
          },
        ];
  return [
    {
      name: "Maximum error rate",
      share: alpha,
      meaning: "The limit that you chose. A rule is certified if its upper bound is not above this limit.",
    },
    ...measured,
    {
      name: "Risk",
      share: delta,
      meaning: `The probability that any attempt on this sample certifies a rule that exceeds the maximum error rate. Cite this: ${formatPercent(1 - delta)} confidence. To keep that over all attempts, each is tested more strictly: the first at half of the risk, each further one at half as much as the one before. This was attempt ${number}.`,
    },
  ];
}

/** A random sample has another share of answers that a rule settles than all answers have. */
function shareOfSample({ settled_labels, labels, settled_share, threshold }: CertificateLine): string {
  if (threshold === null || labels === 0) return "";
  return ` That is ${formatPercent(settled_labels / labels)} of the sample; of all answers, the rule may settle ${formatPercent(settled_share)}. The two differ by chance.`;
}

export function optionWords({ sample, number, alpha, settled_share, lapse }: CertificateLine): string {
  const state = lapse ? "lapsed" : `may settle ${formatPercent(settled_share)}`;
  return `Certificate ${sample}.${number}: maximum error rate ${formatPercent(alpha)}, ${state}`;
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
  "Judgments are not deleted. You can no longer certify rules with this sample, and rules can settle any of its answers that nobody has judged.";

/** What becomes of a judged one. */
export const CLOSING =
  "Judgments and certificates are not deleted. After you close this sample, you can create another one.";

/** What raters are given while a sample waits for the lead’s decision. */
export const HOLD = "Give annotators only this sample until you apply a policy";
export const HOLD_HINT =
  "If this is off, annotators continue with answers that a rule could have settled. You can turn it off at any time. While people decide the last answers of the sample, annotators also get other work. Otherwise, an annotator who gets one more sheet could guess that others disagree on its answers.";
export const HOLDING =
  "Annotators get only this sample until you apply a policy. While people decide its last answers, annotators also get other work. When the sample is finished, annotators see that there is nothing to judge right now, but not why.";
export const NOT_HOLDING =
  "After the sample, annotators continue with other answers, including answers that a rule could settle.";
