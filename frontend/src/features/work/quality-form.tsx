/** How raters' work is looked at: a training before it, known answers hidden among it. */
import { useState } from "react";
import { put, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { QualityPlan, QualityPlanSaveRequest } from "../../api/schema";
import { Checkbox, FieldRow, Fields, fieldsOf, Form, Submit, TextField } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import styles from "./work.module.css";

interface QualityFormProps {
  readonly slug: string;
  readonly plan: QualityPlan;
}

interface PartProps {
  readonly plan: QualityPlan;
  readonly draft: QualityDraft;
  readonly error: Error | null;
  readonly onChange: (part: Partial<QualityDraft>) => void;
}

export function QualityForm({ slug, plan }: QualityFormProps) {
  const [draft, setDraft] = useState(() => qualityDraftOf(plan));
  const saving = useWrite(
    (draft: QualityDraft) => put("/api/projects/{slug}/quality-plan", { slug }, qualityBodyOf(draft)),
    {
      keeps: read("/api/projects/{slug}/quality-plan", { slug }).queryKey,
      note: "Saved. It applies from the next sheet.",
    },
  );
  const part = {
    plan,
    draft,
    error: saving.error,
    onChange: (change: Partial<QualityDraft>) => setDraft({ ...draft, ...change }),
  };
  return (
    <Form onSubmit={() => saving.mutate(draft)}>
      <Section title="Training">
        <TrainingPart {...part} />
      </Section>
      <Section title="Quality checks">
        <HiddenPart {...part} />
      </Section>
      <Section title="Human baseline">
        <SecondPart {...part} />
      </Section>
      <Submit write={saving}>Save training and checks</Submit>
    </Form>
  );
}

function TrainingPart({ plan, draft, error, onChange }: PartProps) {
  const field = fieldsOf(draft, onChange);
  const complaint = fieldMessage(error, "is_training");
  return (
    <Fields>
      <p className={styles["soft"]}>
        New annotators first judge answers whose label is known and see what is right and why. There{" "}
        {plan.training_answers === 1 ? "is" : "are"} {countOf(plan.training_answers, "answer")} for it:{" "}
        <ProjectLink page="work/known-answers">known answers and who has passed</ProjectLink>.
      </p>
      <Checkbox
        label="Require training for new annotators"
        hint={complaint ?? "Annotators who have already judged skip it."}
        checked={draft.isTraining}
        onChange={(isTraining) => onChange({ isTraining })}
      />
      <FieldRow>
        <NumberField label="Minimum correct (%)" max={100} {...field("pass")} />
        <NumberField label="Minimum number of answers" min={1} {...field("least")} />
      </FieldRow>
    </Fields>
  );
}

function HiddenPart({ plan, draft, error, onChange }: PartProps) {
  const field = fieldsOf(draft, onChange);
  const complaint = fieldMessage(error, "known_share");
  return (
    <Fields>
      <p className={styles["soft"]}>
        Some sheets hold answers whose label is known. Raters cannot tell them from others, and what they say
        there is no vote; <ProjectLink page="agreement/raters">Raters</ProjectLink> shows how often they were
        right. There {plan.hidden_answers === 1 ? "is" : "are"}{" "}
        {countOf(plan.hidden_answers, "hidden answer")}.
      </p>
      <FieldRow>
        <NumberField label="Sheets with known answers (%)" max={50} {...field("known")} error={complaint} />
        <NumberField label="Repeated sheets (%)" max={50} {...field("repeat")} />
        <NumberField label="After at least this many sheets" min={1} max={10_000} {...field("distance")} />
        <NumberField label="And at least this many hours" max={10_000} {...field("hours")} />
      </FieldRow>
      <p className={styles["soft"]}>
        Repeated sheets show how consistent a rater is. They look like any other sheet, without the earlier
        labels, and the first vote stands.
      </p>
    </Fields>
  );
}

function SecondPart({ plan, draft, onChange }: PartProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Fields>
      <p className={styles["soft"]}>
        How far apart are two people on the same answers? When a rater has no work left, they blindly judge
        answers that others decided. These votes count only for the row “another human” of{" "}
        <ProjectLink page="runs/board">judges against people</ProjectLink>. So far:{" "}
        {countOf(plan.second_judgments, "answer")}.
      </p>
      <FieldRow>
        <NumberField label="Questions judged once more (%)" max={100} {...field("second")} />
      </FieldRow>
    </Fields>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly min?: number;
  readonly max?: number;
  readonly error?: string | null;
  readonly onChange: (value: string) => void;
}

function NumberField({ label, value, min = 0, max = 1000, error, onChange }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      type="number"
      required
      step="any"
      min={min}
      max={max}
      value={value}
      error={error ?? null}
      onChange={onChange}
    />
  );
}

interface QualityDraft {
  readonly known: string;
  readonly repeat: string;
  readonly distance: string;
  readonly hours: string;
  readonly second: string;
  readonly isTraining: boolean;
  readonly pass: string;
  readonly least: string;
}

/** 0.07 as "7", without the dust of binary fractions. */
function percent(share: number): string {
  return String(Number((share * 100).toFixed(4)));
}

function qualityDraftOf(plan: QualityPlan): QualityDraft {
  return {
    known: percent(plan.known_share),
    repeat: percent(plan.repeat_share),
    distance: String(plan.repeat_distance),
    hours: String(plan.repeat_hours),
    second: percent(plan.second_share),
    isTraining: plan.is_training,
    pass: percent(plan.pass_share),
    least: String(plan.least_answers),
  };
}

function qualityBodyOf(draft: QualityDraft): QualityPlanSaveRequest {
  return {
    known_share: Number(draft.known) / 100,
    repeat_share: Number(draft.repeat) / 100,
    repeat_distance: Number(draft.distance),
    repeat_hours: Number(draft.hours),
    second_share: Number(draft.second) / 100,
    is_training: draft.isTraining,
    pass_share: Number(draft.pass) / 100,
    least_answers: Number(draft.least),
  };
}
