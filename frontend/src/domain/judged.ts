/** How much people and programs have judged of what figures are over. */
import type { JudgedParts } from "../api/schema";
import { countOf, formatCount, formatPercent } from "../lib/numbers";

/** The key of the column that says what people would have said of all answers: by the audit, or a sample. */
export const CORRECTED = "corrected";

interface Judged {
  readonly n_questions: number;
  readonly judged_questions: number;
  readonly programs_share?: number;
}

/** Before the first decision nothing counts as people’s, so there is nothing to warn of. */
export function isPartlyJudged({ n_questions, judged_questions }: Judged): boolean {
  return judged_questions > 0 && judged_questions < n_questions;
}

/** "301 of 3,610 questions". */
export function judgedOf({ n_questions, judged_questions }: Judged): string {
  return `${formatCount(judged_questions)} of ${countOf(n_questions, "question")}`;
}

/** "3,610 questions", and how many of them are judged where not all are. */
export function questionsWords(of: Judged): string {
  const all = countOf(of.n_questions, "question");
  return isPartlyJudged(of) ? `${all}, ${formatCount(of.judged_questions)} of them judged by people` : all;
}

/**
 * Why people’s scores say little yet; empty where every question has a decision.
 * `isMatched`: exact match stands in for people on the other questions.
 */
export function partlyJudgedWords(of: Judged, { isMatched = true } = {}): string {
  if (!isPartlyJudged(of)) return "";
  if (of.programs_share)
    return `People have judged ${judgedOf(of)}. Automatic judges settled ${formatPercent(of.programs_share)} of the systems’ answers.`;
  const others = isMatched
    ? " Answers to the other questions are scored by exact match with amended gold."
    : "";
  return `People have judged ${judgedOf(of)} so far.${others}`;
}

interface Spoken {
  /** Answers of the audit stand for those they were drawn among. */
  readonly weighed: boolean;
  /** Of how many answers that programs settled the figures say nothing. */
  readonly left_out: number;
  /** How many answers people have yet to decide beside an audit. */
  readonly undecided: number;
  /** Of which questions the figures are. */
  readonly reach: JudgedParts["reach"];
}

const REACH: Readonly<Record<Spoken["reach"], string>> = {
  all: "",
  random:
    "The judged questions are a random sample, so figures and intervals are estimates for all questions.",
  weighed:
    "The judged questions are a random sample, weighted by the inverse of their sampling probability, so figures and intervals are estimates for all questions.",
  chosen:
    "The judged questions are not a random sample with known probabilities, so figures do not apply to other questions.",
};

/** Whether figures speak for questions that nobody judges; empty where people judge all. */
export function reachWords({ reach }: Pick<Spoken, "reach">): string {
  return REACH[reach];
}

/** What the figures do not speak of, while nobody has checked what programs settled. */
export function leftOutWords({ left_out }: Pick<Spoken, "left_out">): string {
  if (left_out === 0) return "";
  return `These figures exclude ${countOf(left_out, "answer")} that automatic judges settled, because people have not checked any similar answers yet.`;
}

export function weightWords({ weighed }: Pick<Spoken, "weighed">): string {
  return weighed
    ? "Automatic judges settled the other answers. Audited answers are weighted to represent them."
    : "";
}

/** What people have yet to decide while an audit runs; empty where nothing is. */
export function undecidedWords({ undecided }: { readonly undecided: number }): string {
  if (undecided === 0) return "";
  const are = undecided === 1 ? "is" : "are";
  return `These figures are preliminary: ${countOf(undecided, "distinct answer")} ${are} undecided, and answers decided first are not a random sample.`;
}

/** All of it, with who decided; empty where people decided every question’s answers. */
export function spokenWords(spoken: Spoken): string {
  const words = [leftOutWords(spoken), weightWords(spoken), undecidedWords(spoken)].filter(
    (each) => each !== "",
  );
  const decided = words.length === 0 ? [] : ["These figures count only answers that people have decided."];
  return [...decided, ...words, reachWords(spoken)].filter((each) => each !== "").join(" ");
}

/** What the interval of an estimated score is about, and what not: one wording wherever such scores come first. */
export const INTERVAL_COVERS =
  "A score’s 95% interval (± points) accounts for chance in the choice of questions and in the sampling of answers for people to judge. It does not cover annotators’ mistakes or other kinds of questions.";
