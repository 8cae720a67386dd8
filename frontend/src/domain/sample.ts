/** Which questions people judge, and how many of them the systems answer. */
import { keyOf, post, read } from "../api/client";
import type { SampleChangeRequest, Setup } from "../api/schema";
import { useWrite } from "../components/use-write";
import { countOf, formatCount, formatPoints } from "../lib/numbers";

export function useDraw(slug: string, onDone?: () => void) {
  return useWrite((body: SampleChangeRequest) => post("/api/projects/{slug}/sample", { slug }, body), {
    // At once, so that the page does not say for a moment what is no longer so.
    keeps: read("/api/projects/{slug}/sample", { slug }).queryKey,
    note: (sample) => `${countOf(sample.sampled, "question")} selected.`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
    ...(onDone && { onDone }),
  });
}

/** How many seconds a vote is taken to need where nobody has voted yet. */
const SECONDS_A_VOTE = 30;

type Work = Pick<
  Setup,
  "raters_per_answer" | "annotators_needed" | "annotators_with_lead" | "annotators_present"
>;

/** How long so many answers take each annotator at 30 seconds a vote; nothing where it takes none. */
export function workWords(answers: number, setup: Work): string {
  const time = workOfOne(answers, setup);
  const people = peopleAtWork(setup);
  if (time === "") return "";
  return `${time} ${people === 1 ? "for one annotator" : `for each of ${formatCount(people)} annotators`}`;
}

/** The time alone. */
export function workOfOne(answers: number, setup: Work): string {
  const minutes = (answers * setup.raters_per_answer * SECONDS_A_VOTE) / 60 / peopleAtWork(setup);
  return minutes <= 0 ? "" : `about ${timeWords(minutes)}`;
}

function peopleAtWork({ annotators_needed: needed, annotators_present: present }: Work): number {
  return Math.max(1, needed, present);
}

function timeWords(minutes: number): string {
  return minutes < 90
    ? countOf(Math.max(1, Math.round(minutes)), "minute")
    : countOf(Math.round(minutes / 60), "hour");
}

/** What awaits each annotator, those invited among them; nothing where nothing is left. */
export function shareWords(load: Setup["load_of_each"]): string {
  if (load === null) return "";
  const amount = countOf(load.answers, "answer");
  return `about ${amount}, about ${timeWords(load.seconds / 60)} in all`;
}

/** How many answers a calibration sample usually has, and below how many it saves no work with its audit. */
export const USUAL_CALIBRATION = 300;
export const ENOUGH_TO_SAVE = 600;

/** What the hours rest on. */
export function workBasisWords(setup: Work): string {
  const { raters_per_answer: raters, annotators_needed: needed, annotators_with_lead: fewer } = setup;
  const rest = needed > fewer ? ". Tie-breaks take extra time" : "";
  return `Times assume ${countOf(raters, "vote")} for each answer at ${SECONDS_A_VOTE} seconds each${rest}.`;
}

/** Half of the 95% interval of a share near one half, as questions are a sample of those that could be asked. */
export function halfMargin(questions: number): string {
  return formatPoints(0.98 / Math.sqrt(questions), 0);
}

/** How precise scores on so many questions are at least, and what follows from it. */
export function marginWords(questions: number): string {
  if (questions < 1) return "";
  return `Margin of error of each score: up to ±${halfMargin(questions)} points, so systems with close scores may not differ significantly.`;
}
