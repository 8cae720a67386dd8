/** What leads are told of single judges: how a language model becomes one, and what the learned one was trained on. */
import { ProjectLink } from "../components/project-link";
import { Term } from "../components/term";
import { listOf } from "../lib/lists";

export function LlmJudgeOffer() {
  return (
    <>
      You can also use a language model as a judge at any time:{" "}
      <ProjectLink page="runs/connections">connect a model</ProjectLink>, then{" "}
      <ProjectLink page="runs/new" search={{ judge: "llm" }}>
        start the LLM judge
      </ProjectLink>
      .
    </>
  );
}

/** By what one of them is called the judge to trust; and, before there is one, what will be said of it. */
export function TrustCriterion({ isAhead = false }: { readonly isAhead?: boolean }) {
  return (
    <>
      The <Term name="judge-to-trust">judge to trust</Term> is the one that agrees with people on the most
      answers.
      {isAhead &&
        " If none agrees significantly more often than by chance, none is named. You will also see whether it ranks the systems as people do, and how far its scores are from people’s."}
    </>
  );
}

/** Whether one of the judges so named is a language model: ours, or one recorded elsewhere whose name says so. */
export function hasLlm(judges: readonly string[]): boolean {
  return judges.some((name) => /\bLLM\b/u.test(name));
}

/** How it is called where judges are named. */
const LEARNED_JUDGE = "Learned judge";

export const LEARNED_CAUTION =
  "The learned judge was trained on people’s labels for answers to Natural Questions (the EVOUNA-NQ data set), so its agreement with people on such questions is probably overstated. If it agrees with people most, the best of the other judges is named, too.";

/** Which judges there are to compare, before there is anything to compare them with. */
export function JudgesToCompare({ judges }: { readonly judges: readonly string[] }) {
  return (
    <>
      {judges.length > 0 && <p>{`Judges to compare: ${listOf(judges)}.`}</p>}
      {judges.includes(LEARNED_JUDGE) && <p>{LEARNED_CAUTION}</p>}
      {!hasLlm(judges) && (
        <p>
          <LlmJudgeOffer />
        </p>
      )}
    </>
  );
}
