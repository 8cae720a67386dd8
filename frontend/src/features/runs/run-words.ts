/** A run's state in words. */
import type { Run } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { optionLabel } from "./option-words";
import { countOf, formatCount, formatMoney } from "../../lib/numbers";
import { plural, t } from "../../lib/i18n/t";
import { dayWords, formatDuration } from "../../lib/time";

export const RUN_STATES: Readonly<Record<Run["state"], { readonly words: string; readonly tone: Tone }>> = {
  queued: { words: "Waiting", tone: "neutral" },
  running: { words: "Running", tone: "accent" },
  paused: { words: "Paused", tone: "warning" },
  sampled: { words: "Sample judged", tone: "accent" },
  finished: { words: "Finished", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  cancelled: { words: "Stopped", tone: "neutral" },
};

export function isAtWork(run: Run): boolean {
  return run.state === "queued" || run.state === "running";
}

/** Verdicts from a file cannot be asked for again, and those against a list that has changed are over. */
export function isRepeatable(run: Run): boolean {
  return !run.judge.startsWith("recorded:") && !run.stale;
}

export function runsHeadline(runs: readonly Run[]): string {
  const working = runs.filter(isAtWork).length;
  const failed = runs.filter(({ state, failed: lost }) => state === "failed" || lost > 0).length;
  const words = [
    working > 0 && `${formatCount(working)} running`,
    failed > 0 && `${formatCount(failed)} with failures`,
  ];
  const rest = words.filter(Boolean).join(", ");
  const done = runs.length === 1 ? ", finished" : ", all finished";
  return `${countOf(runs.length, "run")}${rest ? `: ${rest}` : done}.`;
}

/** How much is judged, and what is left without a verdict; `done` counts what could not be judged, too. */
export function resultWords(run: Pick<Run, "done" | "failed" | "total" | "unscored">): string {
  const judged = run.done - run.unscored;
  const isThrough = run.unscored > 0 && run.done === run.total;
  const words = [
    isThrough
      ? `${countOf(judged, "answer")} judged`
      : `${formatCount(judged)} of ${countOf(run.total, "answer")} judged`,
  ];
  if (run.unscored > 0) words.push(`${formatCount(run.unscored)} could not be judged`);
  if (run.failed > 0) words.push(`${formatCount(run.failed)} failed`);
  return words.join(" · ");
}

/** Which answers a run takes, where these are not all. */
export function scopeWords(run: Pick<Run, "only_judged" | "dataset" | "system">): string {
  const words = [
    run.only_judged && "answers that people judge",
    run.dataset && `data set ${run.dataset}`,
    run.system && `system ${run.system}`,
  ].filter(Boolean);
  return words.length > 0 ? `Limited to ${words.join(", ")}.` : "";
}

/** Reasons whose stable words alone would be misread. */
const REASON_NAMES: Readonly<Record<string, string>> = {
  empty_gold: "no words in the gold answers",
  gold_is_regex: "all gold answers are regular expressions",
  no_gold: "no gold answer",
};

/** Reasons and flags are stable words; shown without their underscores. */
export function reasonWords(reason: string): string {
  return REASON_NAMES[reason] ?? reason.replaceAll("_", " ");
}

/** Reasons that lie in what is judged, so that the judge says them again. */
const LASTING: Readonly<Record<string, string>> = {
  empty_answer: "This judge cannot judge an empty answer.",
  empty_gold:
    "This judge compares words, and these gold answers contain none that it can compare: for example, a gold answer may be a symbol or an article alone. This is not an error in your data, and people can judge these answers.",
};

export function isLasting(reason: string): boolean {
  return reason in LASTING;
}

/** What to do about answers without a verdict for a reason; empty where trying again is all. */
export function adviceWords(reason: string, { options }: Pick<Run, "options">): string {
  if (reason in LASTING) return LASTING[reason] ?? "";
  if (reason !== "truncated") return "";
  const limit = options["max_tokens"];
  const words = typeof limit === "number" ? `the limit of ${countOf(limit, "token")}` : "the token limit";
  return `The reply was cut off at ${words}, which includes the model’s reasoning. Trying again will not help, because the limit stays the same. Start a new run with a higher limit under “${optionLabel("max_tokens")}.”`;
}

const SERVED_SHOWN = 5;

/** Which model the provider says it served, each with when and how often; empty where it tells none. */
export function servedWords({ served }: Pick<Run, "served">): string {
  const [only, ...others] = served;
  if (!only) return "";
  if (others.length === 0) return t("The provider served {model}.", { model: servedName(only) });
  const named = served.slice(0, SERVED_SHOWN).map((each) => `${servedName(each)}: ${servedShare(each)}`);
  const more = served.length - SERVED_SHOWN;
  const rest = more > 0 ? `; ${t("and {count} more", { count: more })}` : "";
  const advice = t(
    "This run’s figures combine verdicts of all these models. Report this with your results. To have one model judge all answers, start the judge with a connection that uses a dated model name.",
  );
  return `${named.join("; ")}${rest}. ${advice}`;
}

/** What to say first where there is more than one; a fingerprint is the provider's configuration of a model. */
export function servedTitle({ served }: Pick<Run, "served">): string {
  const models = new Set(served.map(({ model }) => model)).size;
  return models > 1
    ? t("{count} models served this run", { count: models })
    : t("The provider changed the model’s configuration during this run");
}

function servedName({ model, fingerprint }: Run["served"][number]): string {
  const name = model || t("an unnamed model");
  return fingerprint ? t("{model} (fingerprint {fingerprint})", { model: name, fingerprint }) : name;
}

function servedShare({ answers, first_at, last_at }: Run["served"][number]): string {
  const [first, last] = [first_at, last_at].map((at) => dayWords(at.slice(0, 10)));
  const days = first === last ? first : t("{first} to {last}", { first: first ?? "", last: last ?? "" });
  return `${plural(answers, "{count} answer", "{count} answers")}, ${days}`;
}

/** Rate and time left; empty while nothing is known. */
export function paceWords(run: Run): string {
  const rate = run.rate_per_second;
  const words = [
    rate !== null && rate > 0 && `${rate >= 10 ? formatCount(rate) : rate.toFixed(1)} answers per second`,
    run.seconds_left !== null && isAtWork(run) && `about ${formatDuration(run.seconds_left)} left`,
  ];
  return words.filter(Boolean).join(" · ");
}

/** What the rest after a sample would take; empty where the run is none. */
export function restWords({ rest, connection }: Pick<Run, "rest" | "connection">): string {
  if (!rest) return "";
  const words = [
    connection && `cost about ${formatMoney(rest.cost)}`,
    rest.seconds !== null && `take about ${formatDuration(rest.seconds)}`,
  ].filter(Boolean);
  const answers = `other ${countOf(rest.answers, "answer")}`;
  return words.length > 0
    ? `Based on this sample, judging the ${answers} would ${words.join(" and ")}.`
    : `The ${answers} are not judged yet.`;
}

/** Why answers wait although the run is running; empty where none do. */
export function holdupWords({ holdup }: Run): string {
  if (!holdup) return "";
  const seconds = (new Date(holdup.until).getTime() - Date.now()) / 1000;
  const again = seconds > 1 ? `in ${formatDuration(seconds)}` : "now";
  return `${countOf(holdup.answers, "answer")} on hold: ${holdup.reason} The judge will try again ${again}.`;
}

/** Whether a limit can end a run: a local model costs nothing. */
export function hasSpendingLimit({ connection }: Run): boolean {
  return connection !== null && connection.api !== "transformers";
}
