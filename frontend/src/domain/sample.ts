/** Which questions people judge, and how many of them the systems answer. */
import { keyOf, post } from "../api/client";
import type { Coverage, SampleChangeRequest } from "../api/schema";
import { useWrite } from "../components/use-write";
import { countOf, formatCount } from "../lib/numbers";

export function useDraw(slug: string, onDone?: () => void) {
  return useWrite((body: SampleChangeRequest) => post("/api/projects/{slug}/sample", { slug }, body), {
    note: (sample) => `People now judge ${countOf(sample.sampled, "question")}.`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
    ...(onDone && { onDone }),
  });
}

/** That some systems answer fewer questions than others; nothing where all answer as many. */
export function coverageWords({ systems, behind, fewest, most }: Coverage, questions: number): string {
  if (behind === 0) return "";
  const answered =
    fewest === most ? formatCount(fewest) : `only ${formatCount(fewest)} to ${formatCount(most)}`;
  const verb = behind === 1 ? "answers" : "answer";
  return `${formatCount(behind)} of ${countOf(systems, "system")} ${verb} ${answered} of ${countOf(questions, "question")}.`;
}
