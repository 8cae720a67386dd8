/** How many sheets lie ready: enough for a while without a network, few enough that nobody waits for them. */
import type { Progress } from "../../api/contract";

/** The sheet in front of the rater and two behind it: with these the next one is always there. */
export const SHEETS_HELD = 3;
const MOST_HELD = 24;
/** The last questions of a study are for whoever comes first. */
const SHARE_HELD = 1 / 3;
/** Well inside the lease, after which others may be given what lies here. */
const SECONDS_HELD = 720;
/** So few at a time that the server's locks are short. */
const STEP = 6;
const SLACK = 4;

/** The number wanted, from what is left for this rater and the rater's own pace. */
export function sheetsWanted({ left_questions, median_seconds }: Progress): number {
  const byShare = Math.floor(left_questions * SHARE_HELD);
  const byPace = median_seconds === null ? MOST_HELD : Math.floor(SECONDS_HELD / Math.max(1, median_seconds));
  return Math.max(SHEETS_HELD, Math.min(MOST_HELD, byShare, byPace));
}

/** How many sheets to ask for next, those held included; 0 while enough lie ready. */
export function nextStep(held: number, progress: Progress): number {
  const wanted = sheetsWanted(progress);
  return held > wanted - SLACK ? 0 : Math.min(wanted, held + STEP);
}
