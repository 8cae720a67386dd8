/** Which systems answer fewer questions than others. */
import type { Coverage } from "../api/schema";
import { Word } from "../components/tip";
import { listOf } from "../lib/lists";
import { countOf, formatCount } from "../lib/numbers";

const NAMED = 3;

interface UnevenCoverageProps {
  readonly coverage: Coverage;
  readonly questions: number;
}

/** The systems by name, the first three in sight; nothing where all answer as many questions. */
export function UnevenCoverage({ coverage, questions }: UnevenCoverageProps) {
  const { behind, behind_names: names, fewest, most } = coverage;
  if (behind === 0) return null;
  const answered = fewest === most ? formatCount(fewest) : `${formatCount(fewest)} to ${formatCount(most)}`;
  const rest = names.slice(NAMED);
  return (
    <>
      {rest.length === 0 ? (
        listOf(names)
      ) : (
        <>
          {names.slice(0, NAMED).join(", ")} and{" "}
          <Word about={rest.join(", ")}>{countOf(rest.length, "other system")}</Word>
        </>
      )}
      {` ${behind === 1 ? "answers" : "answer"} only ${answered} of ${countOf(questions, "question")}.`}
    </>
  );
}
