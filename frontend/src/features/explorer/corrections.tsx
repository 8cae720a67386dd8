/** A lead's corrections of a question and its gold list, each with a reason that stays on record. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { AnswerHistory, GoldChange } from "../../api/contract";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { Select, TextArea, TextField } from "../../components/field";
import { Fields } from "../../components/form";
import styles from "./explorer.module.css";
import { AffectedVotes } from "./question-answers";

type Question = AnswerHistory["question"];

export function Corrections({ question }: { readonly question: Question }) {
  const project = useProject();
  const [open, setOpen] = useState<"question" | "gold" | null>(null);
  if (project.role !== "lead" || project.state === "archived") return null;
  const close = () => setOpen(null);
  return (
    <>
      <p className={styles["standing"]}>
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

function useReread(slug: string) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
}

function QuestionDialog({ slug, question, onClose }: CorrectionProps) {
  const reread = useReread(slug);
  const [text, setText] = useState(question.text);
  const correct = async (reason: string) => {
    await post(
      "/api/projects/{slug}/questions/{question}/correct",
      { slug, question: question.id },
      { text, reason },
    );
    await reread();
  };
  return (
    <ConfirmDialog
      title="Correct the question"
      confirm="Correct it"
      reasonLabel="Why"
      onConfirm={correct}
      onClose={onClose}
    >
      <p>
        Raters see the new text from now on. Language models judged the old text until their runs are started
        again.
      </p>
      <AffectedVotes question={question} />
      <TextArea label="Question" rows={2} value={text} onChange={(event) => setText(event.target.value)} />
    </ConfirmDialog>
  );
}

function GoldDialog({ slug, question, onClose }: CorrectionProps) {
  const reread = useReread(slug);
  const [action, setAction] = useState<GoldChange["action"]>("added");
  const [text, setText] = useState("");
  const choose = (chosen: GoldChange["action"]) => {
    setAction(chosen);
    setText(chosen === "removed" ? (question.amended_gold[0] ?? "") : "");
  };
  const correct = async (reason: string) => {
    await post(
      "/api/projects/{slug}/gold/corrections",
      { slug },
      { question: question.id, action, text, reason },
    );
    await reread();
  };
  return (
    <ConfirmDialog
      title="Correct the gold list"
      confirm="Correct it"
      reasonLabel="Why"
      onConfirm={correct}
      onClose={onClose}
    >
      <p>Scores against the amended list change with it; the list as it came stays. It can be undone.</p>
      <Fields>
        <Select
          label="What to do"
          value={action}
          onChange={(event) => choose(event.target.value as GoldChange["action"])}
        >
          <option value="added">Add an answer</option>
          <option value="removed">Take an answer off</option>
        </Select>
        {action === "added" ? (
          <TextField label="Answer" value={text} onChange={(event) => setText(event.target.value)} />
        ) : (
          <Select label="Answer" value={text} onChange={(event) => setText(event.target.value)}>
            {question.amended_gold.map((gold) => (
              <option key={gold}>{gold}</option>
            ))}
          </Select>
        )}
      </Fields>
    </ConfirmDialog>
  );
}

/** What the question said before. */
export function FormerTexts({ question }: { readonly question: Question }) {
  if (question.corrections.length === 0) return null;
  return (
    <details className={styles["soft"]}>
      <summary>The question was corrected</summary>
      <ul className={styles["list"]}>
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
