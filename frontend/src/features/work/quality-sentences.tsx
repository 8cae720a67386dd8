/** How raters' work is looked at: a training before it, known answers hidden among it, sheets judged again. */
import type { ReactNode } from "react";
import { put, read } from "../../api/client";
import type { QualityPlan, WorkPlan } from "../../api/schema";
import { Checkbox, FieldRow, Fields, fieldsOf, TextField } from "../../components/form";
import { ProjectLink } from "../../components/project-link";
import { explained, Term } from "../../components/term";
import type { Explanation } from "../../components/tip";
import {
  knownWords,
  repeatWords,
  secondEffect,
  secondWords,
  trainingEffect,
  trainingWords,
} from "./plan-words";
import { qualityBodyOf, type QualityDraft, qualityDraftOf } from "./quality";
import { ChangeableSentence } from "./sentence";
import { countOf } from "../../lib/numbers";
import styles from "./work.module.css";

interface QualitySentencesProps {
  readonly slug: string;
  readonly checks: QualityPlan;
  readonly plan: WorkPlan;
}

export function QualitySentences({ slug, checks, plan }: QualitySentencesProps) {
  const common = { slug, checks };
  return (
    <>
      <QualitySentence
        {...common}
        name="Training"
        explains={explained("training")}
        words={trainingWords}
        effect={(draft) => trainingEffect(draft, checks)}
        field="is_training"
      >
        {TrainingFields}
      </QualitySentence>
      <QualitySentence
        {...common}
        name="Hidden known answers"
        explains={explained("known-answer")}
        words={(draft) => knownWords(draft, checks)}
        field="known_share"
      >
        {KnownFields}
      </QualitySentence>
      <QualitySentence
        {...common}
        name="Repeated sheets"
        explains={explained("repeat")}
        words={repeatWords}
        field="known_share"
      >
        {RepeatFields}
      </QualitySentence>
      <QualitySentence
        {...common}
        name="Second pass"
        explains={explained("second-pass")}
        words={secondWords}
        effect={(draft) => secondEffect(draft, plan)}
      >
        {SecondFields}
      </QualitySentence>
    </>
  );
}

interface FieldsProps {
  readonly checks: QualityPlan;
  readonly draft: QualityDraft;
  readonly complaint: string | null;
  readonly onChange: (part: Partial<QualityDraft>) => void;
}

interface QualitySentenceProps {
  readonly slug: string;
  readonly checks: QualityPlan;
  readonly name: string;
  readonly explains?: Explanation;
  readonly words: (draft: QualityDraft) => string;
  readonly effect?: (draft: QualityDraft) => string;
  /** The field that says why it was refused, by the server's name. */
  readonly field?: string;
  readonly children: (part: FieldsProps) => ReactNode;
}

function QualitySentence({ slug, checks, children, ...sentence }: QualitySentenceProps) {
  const address = "/api/projects/{slug}/quality-plan";
  const draftOf = (changes: Partial<QualityDraft>) => qualityDraftOf(checks, changes);
  return (
    <ChangeableSentence
      {...sentence}
      draftOf={draftOf}
      write={(changes) => put(address, { slug }, qualityBodyOf(draftOf(changes)))}
      keeps={read(address, { slug }).queryKey}
    >
      {(part) => children({ checks, ...part })}
    </ChangeableSentence>
  );
}

function TrainingFields({ draft, complaint, onChange }: FieldsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Fields>
      <p className={styles["soft"]}>
        New annotators first judge training answers. They then see the correct labels and explanations.{" "}
        <ProjectLink page="work/known-answers">View known answers and results</ProjectLink>
      </p>
      <Checkbox
        label="Require training for new annotators"
        hint={complaint ?? "Annotators who have already judged answers skip training."}
        checked={draft.isTraining}
        onChange={(isTraining) => onChange({ isTraining })}
      />
      <FieldRow>
        <NumberField
          label="Minimum correct (%)"
          explains={explained("passing-score")}
          max={100}
          {...field("pass")}
        />
        <NumberField label="Minimum number of answers" min={1} {...field("least")} />
      </FieldRow>
    </Fields>
  );
}

function KnownFields({ checks, draft, complaint, onChange }: FieldsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Fields>
      <p className={styles["soft"]}>
        Sheets with hidden known answers look like any other sheet. Labels for the known answers do not count
        as votes. To see how many labels were correct, open{" "}
        <ProjectLink page="agreement/raters">Annotators</ProjectLink>.{" "}
        {countOf(checks.hidden_answers, "answer")} {checks.hidden_answers === 1 ? "is" : "are"} marked as
        hidden known answers. <ProjectLink page="work/known-answers">View known answers</ProjectLink>
      </p>
      <FieldRow>
        <NumberField
          label="Sheets with known answers (%)"
          explains={explained("known-answer")}
          max={50}
          {...field("known")}
          error={complaint}
        />
      </FieldRow>
    </Fields>
  );
}

function RepeatFields({ draft, complaint, onChange }: FieldsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Fields>
      <p className={styles["soft"]}>
        Repeated sheets show how consistent an annotator is. They look like any other sheet and do not show
        the earlier labels. Only the first vote counts.
      </p>
      <FieldRow columns={3}>
        <NumberField
          label="Repeated sheets (%)"
          explains={explained("repeat")}
          max={50}
          {...field("repeat")}
          error={complaint}
        />
        <NumberField label="Minimum sheets in between" min={1} max={10_000} {...field("distance")} />
        <NumberField label="Minimum hours in between" max={10_000} {...field("hours")} />
      </FieldRow>
    </Fields>
  );
}

function SecondFields({ checks, draft, onChange }: FieldsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Fields>
      <p className={styles["soft"]}>
        When annotators have no work left, they judge answers that others have decided, but do not see the
        decisions. These judgments are used only to{" "}
        <Term name="another-human">compare annotators with other annotators</Term>, on the “
        <ProjectLink page="runs/board">Judges compared with people</ProjectLink>” page. Judged so far:{" "}
        {countOf(checks.second_judgments, "answer")}.
      </p>
      <FieldRow>
        <NumberField
          label="Questions judged again (%)"
          explains={explained("second-pass")}
          max={100}
          {...field("second")}
        />
      </FieldRow>
    </Fields>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly explains?: Explanation;
  readonly value: string;
  readonly min?: number;
  readonly max?: number;
  readonly error?: string | null;
  readonly onChange: (value: string) => void;
}

function NumberField({ min = 0, max = 1000, error, ...rest }: NumberFieldProps) {
  return <TextField {...rest} type="number" required step="any" min={min} max={max} error={error ?? null} />;
}
