/** One answer's whole history, from who gave it to what became of the gold list. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { AnswerHistory } from "../../api/contract";
import { useProject } from "../../api/project";
import { AnswerText } from "../../components/answer-text";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { Page, Section } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { VerdictList } from "../../components/verdict-list";
import { useTitle } from "../../lib/title";
import { Corrections, FormerTexts } from "./corrections";
import styles from "./explorer.module.css";
import { DecisionRows, GoldRows, PredictionRows, SkipRows, VoteRows } from "./history-rows";
import { KnownMark } from "./known-mark";
import { OtherAnswerRows } from "./question-answers";
import { Reopening } from "./reopening";
import { stateWords } from "./words";

export function AnswerPage() {
  const project = useProject();
  const { answer: id } = useParams({ strict: false });
  const query = useQuery(
    read("/api/projects/{slug}/answers/{candidate}", { slug: project.slug, candidate: id ?? "" }),
  );
  useTitle(query.data?.answer ?? "Answer", project.name);
  return (
    <Page width="reading">
      <p className={styles["back"]}>
        <ProjectLink page="answers">All answers</ProjectLink>
      </p>
      <QueryView query={query}>{(answer) => <History answer={answer} />}</QueryView>
    </Page>
  );
}

function History({ answer }: { readonly answer: AnswerHistory }) {
  return (
    <>
      <Heading answer={answer} />
      <Section title="Given by">
        <PredictionRows predictions={answer.predictions} />
      </Section>
      <Section title="Votes">
        <VoteRows votes={answer.votes} correctedAt={answer.question.corrections[0]?.at ?? null} />
        <SkipRows skips={answer.skips} />
      </Section>
      <Section title="Decisions">
        <DecisionRows decisions={answer.decisions} />
      </Section>
      <Section title="Other answers to the question">
        <OtherAnswerRows answer={answer} />
      </Section>
      <Section title="Changes of the gold list">
        <GoldRows changes={answer.gold_changes} />
      </Section>
      <Section title="What the judges said">
        <VerdictList verdicts={answer.verdicts} />
      </Section>
    </>
  );
}

function Heading({ answer }: { readonly answer: AnswerHistory }) {
  const state = stateWords(answer.state);
  return (
    <header className={styles["heading"]}>
      <p className={styles["asked"]} dir="auto">
        {answer.question.text}
      </p>
      <p className={styles["soft"]}>
        Gold: <span dir="auto">{answer.question.gold.join(" · ") || "none"}</span>
        <AmendedGold question={answer.question} />
      </p>
      <FormerTexts question={answer.question} />
      <AnswerText as="h1" text={answer.answer} />
      <div className={styles["standing"]}>
        {answer.label ? <LabelMark label={answer.label} /> : <Badge tone={state.tone}>{state.words}</Badge>}
        <ProjectButtonLink page="queue" search={{ answer: answer.id }} size="small">
          {answer.label ? "Decide anew" : "Decide"}
        </ProjectButtonLink>
        <Reopening answer={answer} />
        <KnownMark answer={answer} />
      </div>
      <Corrections question={answer.question} />
    </header>
  );
}

/** The gold answers after amendment, where people changed them. */
function AmendedGold({ question }: Pick<AnswerHistory, "question">) {
  const amended = question.amended_gold.join(" · ");
  if (amended === question.gold.join(" · ")) return null;
  return (
    <>
      <br />
      Amended gold: <span dir="auto">{amended || "none"}</span>
    </>
  );
}
