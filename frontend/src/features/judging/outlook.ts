/** How many questions and how much time a rater is told are left, steady while the page is open. */
import type { Progress } from "../../api/schema";

/**
 * What the page keeps of the first reply. What is left falls as other raters take questions, and rises as they
 * leave some: followed from sheet to sheet, it would tell how far they are, and the rater's own place would jump.
 */
export interface Outlook {
  /** Of how many questions the rater's place is told: at most so many, as others may take some of them. */
  readonly total: number;
  /** Seconds a question, of the rater's own; null before enough of them are judged. */
  readonly pace: number | null;
  /** A pilot is counted by itself. */
  readonly inPilot: boolean;
}

interface Told {
  readonly progress: Progress;
  readonly in_pilot: boolean;
}

/** The outlook after a reply: as before, unless the rater's own work has outgrown it. */
export function nextOutlook(before: Outlook | null, { progress, in_pilot: inPilot }: Told): Outlook {
  const own = before?.inPilot === inPilot ? before : null;
  const { judged_questions: judged, left_questions: left } = progress;
  const isOutgrown = own === null || judged + Math.min(left, 1) > own.total;
  return {
    total: isOutgrown ? judged + left : own.total,
    pace: nextPace(own?.pace ?? null, progress),
    inPilot,
  };
}

/** The median of fewer is another with each question. */
const ENOUGH_JUDGED = 5;
/** A pace that differs by less is the same one for whoever wants to know how long it takes. */
const SAME_PACE = 0.25;

function nextPace(
  before: number | null,
  { median_seconds: now, judged_questions: judged }: Progress,
): number | null {
  if (now === null || (before === null && judged < ENOUGH_JUDGED)) return before;
  return before !== null && Math.abs(now - before) <= SAME_PACE * before ? before : now;
}

/** The question that the rater is at; sheets on their way count as judged, as the rater is done with them. */
export function placeIn({ total }: Outlook, { judged_questions: judged }: Progress, waiting: number): number {
  return Math.min(total, judged + waiting + 1);
}

/** Seconds for all that may be left, this question included; null while the pace is not known. */
export function secondsLeft(outlook: Outlook, progress: Progress, waiting: number): number | null {
  const left = outlook.total - placeIn(outlook, progress, waiting) + 1;
  return outlook.pace === null || left < 1 ? null : left * outlook.pace;
}
