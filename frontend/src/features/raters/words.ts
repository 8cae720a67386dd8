/** What is said of raters, in words. */
import type { Rater, RaterDetail, SignsEnum } from "../../api/schema";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";

export const SIGN_NAMES: Readonly<Record<SignsEnum, string>> = {
  fast: "very fast",
  run: "long run",
  first_label: "first label",
  drift: "changed",
};

/** Seconds as people judge them: "4.2 s", "38 s". */
export function secondsWords(seconds: number): string {
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)}\u00a0s`;
}

export function workWords(rater: Rater): string {
  const skipped = rater.skipped > 0 ? `, ${formatCount(rater.skipped)} skipped` : "";
  return `${countOf(rater.judged, "answer")} judged${skipped}`;
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
    ["first_label", "The first label", firstLabelWords(rater, nameOf)],
    ["drift", "First half and last half", driftWords(rater)],
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
  const usual = `Usually ${secondsWords(pace.median_seconds)} an answer; among all raters ${secondsWords(pace.usual_seconds)} is usual.`;
  return `${usual} Under a third of that: ${pace.fast.words.replace(/\.$/, "")}.`;
}

function runWords({ run }: RaterDetail, nameOf: (label: string) => string): string {
  if (run === null) return "Too few votes, or votes of a file that has no order.";
  return `At most ${formatCount(run.longest)} times “${nameOf(run.label)}” in a row. The same votes in random order usually have ${formatCount(run.usual)}, seldom more than ${formatCount(run.high)}.`;
}

function firstLabelWords({ first_label, labels }: RaterDetail, nameOf: (label: string) => string): string {
  const first = labels[0];
  if (first === undefined || first_label.own.value === null) return first_label.own.words;
  const others = first_label.others.tally?.total
    ? `the others gave it ${first_label.others.words.replace(/\.$/, "")} on the same answers.`
    : "nobody else has judged these answers.";
  return `“${nameOf(first)}” on ${first_label.own.words}; ${others}`;
}

function driftWords({ drift }: RaterDetail): string {
  if (drift.p_value === null) return drift.first.words;
  const chance = `Chance alone does as much in ${formatPercent(drift.p_value, drift.p_value < 0.01 ? 1 : 0)} of such raters.`;
  return `Agreed on ${drift.first.words} in the first half, on ${drift.last.words} in the last. ${chance}`;
}

/** The headline of the page: how many there are and what could be looked at. */
export function headline(raters: readonly Rater[]): string {
  const active = raters.filter((rater) => rater.judged > 0);
  const noted = active.filter((rater) => rater.signs.length > 0);
  const looked =
    noted.length === 0
      ? "No warnings."
      : `${countOf(noted.length, "rater")} ${noted.length === 1 ? "has" : "have"} a sign that stands out: a reason to look, not a verdict.`;
  return `${countOf(active.length, "person", "people")} ${active.length === 1 ? "has" : "have"} judged. ${looked}`;
}
