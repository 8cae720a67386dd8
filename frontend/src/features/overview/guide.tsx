/** What a project still needs before people can judge it, in the order of the work. */
import type { ReactNode } from "react";
import type { Setup } from "../../api/schema";
import { More } from "../../components/list";
import { Section } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { annotatorsNeededWords, annotatorsToInvite, invitedWords } from "../../domain/annotators";
import { hasLlm, JudgesToCompare, LlmJudgeOffer, TrustCriterion } from "../../domain/known-judges";
import { UnevenCoverage } from "../../domain/coverage";
import { ENOUGH_TO_SAVE } from "../../domain/sample";
import { listOf } from "../../lib/lists";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./guide.module.css";

interface Step {
  readonly page: string;
  readonly title: string;
  readonly words: ReactNode;
  readonly isDone: boolean;
  /** Whether people can judge without it: it is never the next. */
  readonly isOptional?: boolean;
  /** Heard behind the title of what is not done, where that is nothing to do. */
  readonly state?: string;
  /** What there is to do where this step is the next. */
  readonly asks: string;
  /** What the button says where this step is the next. */
  readonly act: string;
  readonly search?: Readonly<Record<string, number>>;
  /** What could be done besides, which the step does not wait for. */
  readonly more?: ReactNode;
}

export function Guide({ setup }: { readonly setup: Setup }) {
  const steps = stepsOf(setup);
  const next = steps.find(({ isDone, isOptional }) => !isDone && !isOptional);
  return (
    <>
      {next && (
        <Section title="What to do next">
          <div className={styles["next"]}>
            <p>{next.asks}</p>
            <ProjectButtonLink
              page={next.page}
              variant="primary"
              {...(next.search && { search: next.search })}
            >
              {next.act}
            </ProjectButtonLink>
          </div>
        </Section>
      )}
      <Section title="Where results appear">
        <ul>
          <li>
            <ProjectLink page="leaderboard">Which system is best</ProjectLink>: when all answers are decided.
          </li>
          <li>
            <ProjectLink page="runs/board">Which automatic judge to trust</ProjectLink>: as soon as people
            have decided some answers.
          </li>
          <li>This page sums up both.</li>
        </ul>
        <More summary={comparedWords(setup.judges)}>
          <div className="fields soft">
            <p>
              <TrustCriterion isAhead />
            </p>
            <JudgesToCompare judges={setup.judges} />
          </div>
        </More>
      </Section>
      <Section title="Setup">
        <ol className="ruled">
          {steps.map((step) => (
            <li key={step.title} className={styles["step"]} data-done={step.isDone || undefined}>
              <span className={styles["mark"]} aria-hidden="true">
                {step.isDone ? "✓" : ""}
              </span>
              <div>
                <h3>
                  <ProjectLink page={step.page} {...(step.search && { search: step.search })}>
                    {step.title}
                  </ProjectLink>
                  <span className="visually-hidden">
                    {step.isDone ? ": done" : (step.state ?? ": to do")}
                  </span>
                </h3>
                <p className="soft">
                  {step.words} {step.more}
                </p>
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

/** Names what will be compared. */
function comparedWords(judges: readonly string[]): string {
  return judges.length > 0 ? `How judges are compared: ${listOf(judges)}` : "How judges are compared";
}

/** Whether so many answers are to judge, or may be once there are any, that judges can save people work. */
function mayPrejudge({ coverage, to_judge: answers }: Setup): boolean {
  return coverage.systems === 0 || answers >= ENOUGH_TO_SAVE;
}

const PREJUDGING: Step = {
  page: "prejudging",
  title: "Pre-judging (optional)",
  words:
    "To reduce the work, people judge a sample first. Then an automatic judge settles answers on which it is reliable.",
  isDone: false,
  isOptional: true,
  state: "",
  asks: "",
  act: "",
};

export function stepsOf(setup: Setup): Step[] {
  const { questions, coverage, annotators_needed, annotators_present, judges, judges_at_work: busy } = setup;
  const count = annotatorsToInvite(setup);
  return [
    {
      page: "import",
      title: "Questions and gold answers",
      words: questionWords(setup),
      isDone: questions > 0,
      asks: "Import questions, gold answers, and the systems’ answers.",
      act: "Import files",
    },
    {
      page: "import",
      title: "System answers",
      words: systemWords(setup),
      isDone: coverage.systems > 0,
      asks: "Import the systems’ answers.",
      act: "Import answers",
    },
    {
      page: "sample",
      title: "Questions to judge",
      words: sampleWords(setup),
      isDone: setup.to_judge > 0 && (coverage.behind === 0 || setup.sample_method !== "all"),
      asks: "Choose which questions people judge.",
      act: "Choose questions",
    },
    {
      page: "protocol",
      title: "Protocol",
      words: "You can still change labels, annotators, and guidelines.",
      isDone: setup.protocol !== "" || annotators_needed > 0,
      asks: "Define how people judge.",
      act: "View protocol",
    },
    ...(mayPrejudge(setup) ? [PREJUDGING] : []),
    {
      page: "people",
      title: "People",
      words: peopleWords(setup),
      isDone: annotators_present >= annotators_needed,
      ...(count === 0 && { state: ": waiting" }),
      asks: invitingWords(count, annotators_present),
      act: count > 0 ? `Invite ${countOf(count, "annotator")}` : "Manage invitations",
      ...(count > 0 && { search: { invite: count } }),
    },
    {
      page: "runs",
      title: "Automatic judges",
      words: judgeWords(setup),
      isDone: judges.length > 0 && busy === 0,
      ...(busy > 0 && { state: ": running" }),
      asks:
        busy > 0
          ? "The automatic judges are still running. People can already judge."
          : "Start automatic judges.",
      act: "View automatic judges",
      ...(!hasLlm(judges) && { more: <LlmJudgeOffer /> }),
    },
  ];
}

function invitingWords(lacking: number, present: number): string {
  if (lacking > 0) return "Invite people to judge.";
  return present > 0
    ? "Wait for the others you invited. Those who have joined can already judge."
    : "Send the links to the people you invited. Judging starts when the first one joins.";
}

function questionWords({ questions, without_gold: lacking }: Setup): string {
  if (questions === 0)
    return "A file of questions with their gold answers: JSON Lines, JSON, CSV, TSV, or Parquet.";
  const rest = lacking === 0 ? "" : ` ${countOf(lacking, "has", "have")} no gold answer.`;
  return `${countOf(questions, "question")}.${rest}`;
}

function systemWords(setup: Setup): ReactNode {
  const { coverage, questions } = setup;
  if (coverage.systems === 0) return "A file for each system, or one file for all.";
  if (setup.sample_method === "all" && coverage.behind > 0)
    return <UnevenCoverage coverage={coverage} questions={questions} />;
  return `${countOf(coverage.systems, "system")}.`;
}

function sampleWords({ questions, sampled, to_judge: answers }: Setup): string {
  if (questions === 0) return "All questions, those that every system answered, or a random sample.";
  const all = countOf(questions, "question");
  const part =
    sampled === questions ? `${questions > 1 ? "All " : ""}${all}` : `${formatCount(sampled)} of ${all}`;
  return `${part}, with ${countOf(answers, "answer")} to judge.`;
}

function peopleWords(setup: Setup): string {
  const { annotators_present: present } = setup;
  const needed =
    annotatorsNeededWords(setup) || `${countOf(present, "annotator can judge", "annotators can judge")}.`;
  return [needed, invitedWords(setup)].filter(Boolean).join(" ");
}

function judgeWords({ judges, judges_at_work: busy }: Setup): string {
  if (judges.length === 0) return "Judges that need no setup run automatically after you import answers.";
  const running = busy === 0 ? "" : ` ${countOf(busy, "run is", "runs are")} not finished yet.`;
  return `Started: ${judges.join(", ")}.${running}`;
}
