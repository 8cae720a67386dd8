/** What the study has found by now: the best system, and the judge to trust for what. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../../api/client";
import type { BestSystem, Results, TrustedJudge } from "../../api/schema";
import { useMayOpen, useProject } from "../../api/project";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { Signatures } from "../../components/signature";
import { Term, TermsIn, withTerms } from "../../components/term";
import { hasLlm, LlmJudgeOffer, TrustCriterion } from "../../domain/known-judges";
import styles from "./results.module.css";
import { cautionsOf, isSoFar, judgeFinding, leftOutJudges, systemFinding, usesOf } from "./results-words";

const ASK_AGAIN_AFTER = 60_000;
/** What is decided stays, but judges may still be at work. */
const ASK_JUDGES_AFTER = 30_000;

interface ResultsSectionProps {
  /** How far judging is: what was found before is not shown beside it once it is over. */
  readonly isDone: boolean;
}

export function ResultsSection({ isDone }: ResultsSectionProps) {
  const { slug } = useProject();
  const { queryKey, ...asked } = read("/api/projects/{slug}/results", { slug });
  const query = useQuery({
    ...asked,
    queryKey: [...queryKey, isDone],
    refetchInterval: isDone ? ASK_JUDGES_AFTER : ASK_AGAIN_AFTER,
  });
  return (
    <Section title={!query.data || isSoFar(query.data.system) ? "Results so far" : "Results"}>
      <QueryView query={query} loading={<Skeleton lines={3} height={2} />}>
        {(results) => (
          <>
            <Both results={results} />
            <Signatures own={results.signature} judges={[]} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Both({ results: { system, judge } }: { readonly results: Results }) {
  const { slug } = useProject();
  const mayStart = useMayOpen()("runs/new");
  const { data: setup } = useQuery({
    ...read("/api/projects/{slug}/setup", { slug }),
    enabled: mayStart,
  });
  const [bestSystem, bestJudge] = [systemFinding(system), judgeFinding(judge)];
  const said = withTerms(
    [bestSystem, bestJudge].flatMap(({ answer, details }) => [`${answer}.`, details]),
    { interval: "interval", κ: "cohens-κ", audit: "audit", audited: "audit" },
  );
  const hasNoLlm = setup !== undefined && !hasLlm(setup.judges);
  return (
    <dl className={styles["results"]}>
      <dt>Best system</dt>
      <dd className="stack">
        <FindingWords answer={said[0]} details={said[1]} />
        <p>
          <ProjectLink page="leaderboard">View leaderboard</ProjectLink>
        </p>
      </dd>
      <dt>Best judge</dt>
      <dd className="stack">
        <FindingWords answer={said[2]} details={said[3]} />
        <p className="soft">
          <TrustCriterion />
        </p>
        <JudgeUses judge={judge} system={system} />
        <p>
          <ProjectLink page="runs/board">View judges compared with people</ProjectLink>
        </p>
        {hasNoLlm && (
          <p className="soft">
            <LlmJudgeOffer />
          </p>
        )}
      </dd>
    </dl>
  );
}

interface FindingWordsProps {
  readonly answer: ReactNode;
  readonly details: ReactNode;
}

function FindingWords({ answer, details }: FindingWordsProps) {
  return (
    <p>
      <strong>{answer}</strong> {details}
    </p>
  );
}

interface JudgeUsesProps {
  readonly judge: TrustedJudge;
  readonly system: BestSystem;
}

function JudgeUses({ judge, system }: JudgeUsesProps) {
  const mayOpen = useMayOpen();
  if (!judge.best) return null;
  const notes = [...cautionsOf(judge), ...leftOutJudges(judge)];
  return (
    <>
      <dl className={styles["uses"]}>
        {usesOf(judge.best, judge, system).map(({ purpose, answer, why, fix }) => (
          <div key={purpose} className={styles["use"]}>
            <dt>{purpose}</dt>
            <dd>
              <strong>{answer}.</strong> <TermsIn text={why} terms={{ "tie-breaks": "tie-break" }} />
              {fix && mayOpen("protocol") && (
                <>
                  {" "}
                  <ProjectLink page="protocol">{fix}</ProjectLink>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <ul className={styles["notes"]}>
        {notes.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <p className="soft">
        Tests use a 5% significance level, <Term name="corrected-for-multiple-tests">corrected</Term> for
        multiple tests. The best of several judges looks slightly better than it is, because it was chosen for
        its agreement on these same answers.
      </p>
    </>
  );
}
