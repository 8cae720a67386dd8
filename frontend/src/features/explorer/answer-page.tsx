/** One answer's whole history, from who gave it to what became of the gold list. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { AnswerHistory, GoldChange } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Choice, Fields, optionsOf, TextArea, TextField } from "../../components/form";
import { Page, Section, useTitle } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { AnswerText } from "../../domain/answer";
import { KnownMarkDialog, wordsOfUse } from "../../domain/known-mark-dialog";
import { LabelMark } from "../../domain/labels";
import { PassageList } from "../../domain/passages";
import { VerdictList } from "../../domain/verdict-list";
import { countOf } from "../../lib/numbers";
import styles from "./explorer.module.css";
import { DecisionRows, GoldRows, PassageNote, PredictionRows, SkipRows, VoteRows } from "./history-rows";
import { AffectedVotes, OtherAnswerRows } from "./question-answers";
import { stateWords } from "./which-answers";

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
      <Section title="Systems">
        <PredictionRows predictions={answer.predictions} />
      </Section>
      <Passages question={answer.question} />
      <Section title="Votes">
        <VoteRows votes={answer.votes} correctedAt={answer.question.corrections[0]?.at ?? null} />
        <SkipRows skips={answer.skips} />
      </Section>
      <Section title="Decisions">
        <DecisionRows decisions={answer.decisions} />
      </Section>
      <Section title="Other answers to this question">
        <OtherAnswerRows answer={answer} />
      </Section>
      <Section title="Gold list changes">
        <GoldRows changes={answer.gold_changes} />
      </Section>
      <Section
        title={
          <>
            Judges’ <Term name="verdict">verdicts</Term>
          </>
        }
      >
        <VerdictList verdicts={answer.verdicts} answer={answer.answer} />
      </Section>
    </>
  );
}

function Passages({ question }: Pick<AnswerHistory, "question">) {
  if (question.passages.length === 0) return null;
  const left = question.passage_count - question.passages.length;
  return (
    <Section title="Passages">
      <PassageList passages={question.passages} note={(passage) => <PassageNote passage={passage} />} />
      {left > 0 && (
        <p className="soft-regular">
          {countOf(left, "more passage is", "more passages are")} in the “Passages” export.
        </p>
      )}
    </Section>
  );
}

function Heading({ answer }: { readonly answer: AnswerHistory }) {
  const state = stateWords(answer.state);
  return (
    <header className={styles["heading"]}>
      <p className={styles["asked"]} dir="auto">
        {answer.question.text}
      </p>
      <p className="soft-regular">
        Gold answers: <span dir="auto">{answer.question.gold.join(" · ") || "none"}</span>
        <AmendedGold question={answer.question} />
      </p>
      <FormerTexts question={answer.question} />
      <AnswerText as="h1" text={answer.answer} />
      <div className="row-centered">
        {answer.label ? <LabelMark label={answer.label} /> : <Badge tone={state.tone}>{state.words}</Badge>}
        <ProjectButtonLink page="queue" search={{ answer: answer.id }} size="small">
          {answer.label ? "Change decision" : "Decide"}
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
      <Term name="amended-gold">Amended gold</Term>: <span dir="auto">{amended || "none"}</span>
    </>
  );
}

type Question = AnswerHistory["question"];

function Corrections({ question }: { readonly question: Question }) {
  const project = useProject();
  const [open, setOpen] = useState<"question" | "gold" | null>(null);
  if (project.role !== "lead" || project.state === "archived") return null;
  const close = () => setOpen(null);
  return (
    <>
      <p className="row-centered">
        <Button size="small" onClick={() => setOpen("question")}>
          Correct the question
        </Button>
        <Button size="small" onClick={() => setOpen("gold")}>
          Correct the gold list
        </Button>
      </p>
      {open === "question" && <QuestionDialog slug={project.slug} question={question} onClose={close} />}
      {open === "gold" && <GoldDialog slug={project.slug} question={question} onClose={close} />}
    </>
  );
}

interface CorrectionProps {
  readonly slug: string;
  readonly question: Question;
  readonly onClose: () => void;
}

function QuestionDialog({ slug, question, onClose }: CorrectionProps) {
  const [text, setText] = useState(question.text);
  const correct = (reason: string) =>
    post(
      "/api/projects/{slug}/questions/{question}/correct",
      { slug, question: question.id },
      { text, reason },
    );
  return (
    <ConfirmDialog
      title="Correct the question"
      confirm="Save correction"
      reasonLabel="Reason"
      onConfirm={correct}
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      onClose={onClose}
    >
      <p>
        Annotators will see the new text. Language models’ verdicts still refer to the old text until you run
        the judges again.
      </p>
      <AffectedVotes question={question} />
      <TextArea label="Question" rows={2} value={text} onChange={setText} />
    </ConfirmDialog>
  );
}

function GoldDialog({ slug, question, onClose }: CorrectionProps) {
  const [action, setAction] = useState<GoldChange["action"]>("added");
  const [text, setText] = useState("");
  const choose = (chosen: GoldChange["action"]) => {
    setAction(chosen);
    setText(chosen === "removed" ? (question.amended_gold[0] ?? "") : "");
  };
  const correct = (reason: string) =>
    post("/api/projects/{slug}/gold/corrections", { slug }, { question: question.id, action, text, reason });
  return (
    <ConfirmDialog
      title="Correct the gold list"
      confirm="Save correction"
      reasonLabel="Reason"
      onConfirm={correct}
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      onClose={onClose}
    >
      <p>
        This changes scores that use amended gold answers. The original gold answers do not change. You can
        undo the correction.
      </p>
      <Fields>
        <Choice
          label="Change"
          value={action}
          options={optionsOf({ added: "Add an answer", removed: "Remove an answer" })}
          onChange={choose}
        />
        {action === "added" ? (
          <TextField label="Answer" value={text} onChange={setText} />
        ) : (
          <Choice
            label="Answer"
            value={text}
            options={question.amended_gold.map((gold) => ({ value: gold, name: gold }))}
            onChange={setText}
          />
        )}
      </Fields>
    </ConfirmDialog>
  );
}

/** What the question said before. */
function FormerTexts({ question }: { readonly question: Question }) {
  if (question.corrections.length === 0) return null;
  return (
    <details className="soft-regular">
      <summary>The question was corrected</summary>
      <ul className="ruled">
        {question.corrections.map((correction) => (
          <li key={correction.at} className={styles["row"]}>
            <span dir="auto">{correction.former_text}</span>
            <q dir="auto">{correction.reason}</q>
            <span>{correction.by}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Reopening({ answer }: { readonly answer: AnswerHistory }) {
  const project = useProject();
  const [asking, setAsking] = useState(false);
  const isKept = project.state === "archived" || project.role === "viewer";
  if (answer.state !== "decided" || isKept) return null;
  const withdraw = (reason: string) =>
    post(
      "/api/projects/{slug}/answers/{candidate}/reopen",
      { slug: project.slug, candidate: answer.id },
      { reason },
    );
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Reopen
      </Button>
      {asking && (
        <ConfirmDialog
          title="Reopen this answer?"
          confirm="Reopen answer"
          reasonLabel="Reason"
          onConfirm={withdraw}
          stale={[keyOf("/api/projects/{slug}", { slug: project.slug })]}
          note="Answer reopened."
          onClose={() => setAsking(false)}
        >
          <p>
            The history keeps the old decision. If the answer still needs votes, annotators continue to judge
            it; otherwise, it returns to the adjudication queue. Scores and the gold list change immediately.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function KnownMark({ answer }: { readonly answer: AnswerHistory }) {
  const project = useProject();
  const isLead = project.role === "lead" && project.state !== "archived";
  const query = useQuery({
    ...read("/api/projects/{slug}/known-answers", { slug: project.slug }),
    enabled: isLead,
  });
  const [open, setOpen] = useState(false);
  const canBeKnown = answer.state === "decided" || answer.state === "unasked";
  if (!isLead || !canBeKnown || query.data === undefined) return null;
  const known = query.data.find((item) => item.answer === answer.id);
  return (
    <>
      {known && <Badge>Known answer, {wordsOfUse(known.use).toLowerCase()}</Badge>}
      <Button size="small" onClick={() => setOpen(true)}>
        {known ? "Change known answer" : "Use as known answer"}
      </Button>
      {open && (
        <KnownMarkDialog slug={project.slug} answer={answer} known={known} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
