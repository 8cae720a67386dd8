/** A run's state in words. */
import type { Run } from "../../api/contract";
import type { Tone } from "../../components/badge";
import { countOf, formatCount } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";

export const RUN_STATES: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  queued: { words: "Waiting", tone: "neutral" },
  running: { words: "At work", tone: "accent" },
  paused: { words: "Paused", tone: "warning" },
  sampled: { words: "Sample judged", tone: "success" },
  finished: { words: "Finished", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  cancelled: { words: "Stopped", tone: "neutral" },
};

export function isAtWork(run: Run): boolean {
  return run.state === "queued" || run.state === "running";
}

export function runsHeadline(runs: readonly Run[]): string {
  const working = runs.filter(isAtWork).length;
  const failed = runs.filter(({ state, failed: lost }) => state === "failed" || lost > 0).length;
  const words = [
    working > 0 && `${formatCount(working)} at work`,
    failed > 0 && `${formatCount(failed)} with failures`,
  ];
  const rest = words.filter(Boolean).join(", ");
  return `${countOf(runs.length, "run")}${rest ? `: ${rest}` : ", all done"}.`;
}

/** Rate and time left; empty while nothing is known. */
export function paceWords(run: Run): string {
  const rate = run.rate_per_second;
  const words = [
    rate !== null && rate > 0 && `${rate >= 10 ? formatCount(rate) : rate.toFixed(1)} answers a second`,
    run.seconds_left !== null && isAtWork(run) && `about ${formatDuration(run.seconds_left)} left`,
  ];
  return words.filter(Boolean).join(" · ");
}

export function optionWords(options: Readonly<Record<string, unknown>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${String(value)}`)
    .join(" · ");
}
