/** Which questions people judge, and how many of them the systems answer. */
import { keyOf, post, read } from "../api/client";
import type { Coverage, SampleChangeRequest } from "../api/schema";
import { useWrite } from "../components/use-write";
import { countOf, formatCount } from "../lib/numbers";

export function useDraw(slug: string, onDone?: () => void) {
  return useWrite((body: SampleChangeRequest) => post("/api/projects/{slug}/sample", { slug }, body), {
    // At once, so that the page does not say for a moment what is no longer so.
    keeps: read("/api/projects/{slug}/sample", { slug }).queryKey,
    note: (sample) => `People now judge ${countOf(sample.sampled, "question")}.`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
    ...(onDone && { onDone }),
  });
}

/** How many seconds a vote is taken to need where nobody has voted yet. */
const SECONDS_A_VOTE = 30;

/** How long so many answers take all raters together at 30 seconds a vote; nothing where it takes none. */
export function workWords(answers: number, ratersPerAnswer: number): string {
  const minutes = (answers * ratersPerAnswer * SECONDS_A_VOTE) / 60;
  if (minutes <= 0) return "";
  return minutes < 90
    ? `about ${countOf(Math.max(1, Math.round(minutes)), "minute")}`
    : `about ${countOf(Math.round(minutes / 60), "hour")}`;
}

/** What the hours rest on. */
export function workBasisWords(ratersPerAnswer: number): string {
  return `Times are for all people together: ${countOf(ratersPerAnswer, "vote")} for each answer, an assumed ${SECONDS_A_VOTE} seconds each.`;
}

/** That some systems answer fewer questions than others; nothing where all answer as many. */
export function coverageWords({ systems, behind, fewest, most }: Coverage, questions: number): string {
  if (behind === 0) return "";
  const answered =
    fewest === most ? formatCount(fewest) : `only ${formatCount(fewest)} to ${formatCount(most)}`;
  const verb = behind === 1 ? "answers" : "answer";
  return `${formatCount(behind)} of ${countOf(systems, "system")} ${verb} ${answered} of ${countOf(questions, "question")}.`;
}
