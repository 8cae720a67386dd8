/** What is said of raters, in words. */
import type { Rater, RaterDetail, SignsEnum } from "../../api/schema";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";

export const SIGN_NAMES: Readonly<Record<SignsEnum, string>> = {
  fast: "very fast",
  run: "long run of one label",
  first_label: "first label often chosen",
  drift: "change over time",
};

/** Seconds as people judge them: "4.2 s", "38 s". */
export function secondsWords(seconds: number): string {
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)}\u00a0s`;
}

export function workWords(rater: Rater): string {
  const skipped = rater.skipped > 0 ? `, ${formatCount(rater.skipped)} skipped` : "";
  return `${countOf(rater.judged, "answer")} judged${skipped}`;
}

/** A server's words to stand within a sentence. */
function unended(words: string): string {
  return words.replace(/\.$/, "");
}

export function stateWords(state: string): string {
  if (state === "paused") return "paused";
  return state === "left" ? "has left" : "";
}

export interface Sign {
  readonly key: SignsEnum;
  readonly name: string;
  readonly words: string;
  readonly isUsual: boolean;
}

/** Each sign with its numbers and what is usual; whether it stands out is said, why is not known. */
export function signsOf(rater: RaterDetail, nameOf: (label: string) => string): Sign[] {
  const words: readonly [SignsEnum, string, string][] = [
    ["fast", "Pace", paceWords(rater)],
    ["run", "Runs of one label", runWords(rater, nameOf)],
    ["first_label", "Use of the first label", firstLabelWords(rater, nameOf)],
    ["drift", "First and second half", driftWords(rater)],
  ];
  return words.map(([key, name, text]) => ({
    key,
    name,
    words: text,
    isUsual: !rater.signs.includes(key),
  }));
}

function paceWords({ pace }: RaterDetail): string {
  if (pace.median_seconds === null || pace.usual_seconds === null) return pace.fast.words;
  const usual = `Median time per answer: ${secondsWords(pace.median_seconds)} (typical for all annotators: ${secondsWords(pace.usual_seconds)}).`;
  return `${usual} Answers judged in under a third of the typical time: ${unended(pace.fast.words)}.`;
}

function runWords({ run }: RaterDetail, nameOf: (label: string) => string): string {
  if (run === null) return "Too few votes, or the order of the votes is unknown.";
  return `Longest run: “${nameOf(run.label)}” ${formatCount(run.longest)} times in a row. In random order, the same votes usually have a longest run of ${formatCount(run.usual)}, rarely more than ${formatCount(run.high)}.`;
}

function firstLabelWords({ first_label, labels }: RaterDetail, nameOf: (label: string) => string): string {
  const first = labels[0];
  if (first === undefined || first_label.own.value === null) return first_label.own.words;
  const others = first_label.others.tally?.total
    ? `Other annotators on the same answers: ${unended(first_label.others.words)}.`
    : "No other annotator has judged these answers.";
  return `Chose “${nameOf(first)}”: ${unended(first_label.own.words)}. ${others}`;
}

function driftWords({ drift }: RaterDetail): string {
  if (drift.p_value === null) return drift.first.words;
  const chance = `If agreement had not really changed, chance alone would still produce a change at least this large in ${formatPercent(drift.p_value, drift.p_value < 0.01 ? 1 : 0)} of cases.`;
  return `Agreement with others in the first half: ${unended(drift.first.words)}. In the second half: ${unended(drift.last.words)}. ${chance}`;
}

/** The headline of the page: how many there are and what could be looked at. */
export function headline(raters: readonly Rater[]): string {
  const active = raters.filter((rater) => rater.judged > 0);
  const noted = active.filter((rater) => rater.signs.length > 0);
  const looked =
    noted.length === 0
      ? "No warnings."
      : `${countOf(noted.length, "annotator")} ${noted.length === 1 ? "has" : "have"} warnings. Review them before you draw conclusions.`;
  return `${countOf(active.length, "annotator")} ${active.length === 1 ? "has" : "have"} judged answers. ${looked}`;
}
