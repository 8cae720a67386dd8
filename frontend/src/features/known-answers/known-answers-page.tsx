/** The answers whose label is known: hidden among the work or for training, and who has passed it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { KnownAnswer, QualityPlan, Trainee } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Checkbox, Choice, FieldRow, fieldsOf, Form, Submit, TextField } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, numberColumn, Table } from "../../components/table";
import { explained, Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { AnswerCell } from "../../domain/answer";
import { AwaitingState } from "../../domain/first-step";
import { KnownMarkDialog, USES, wordsOfUse } from "../../domain/known-mark-dialog";
import { LabelMark, labelName } from "../../domain/labels";
import { countOf } from "../../lib/numbers";

export function KnownAnswersPage() {
  const project = useProject();
  useTitle("Known answers", project.name);
  const known = useQuery(read("/api/projects/{slug}/known-answers", { slug: project.slug }));
  const plan = useQuery(read("/api/projects/{slug}/quality-plan", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title={<Term name="known-answer">Known answers</Term>}
        lead="Hidden known answers measure annotator accuracy. Training answers teach new annotators which label is correct and why. Annotators never see this page."
      />
      <QueryView query={known}>
        {(rows) => (rows.length === 0 ? <NoneYet /> : <KnownTable slug={project.slug} rows={rows} />)}
      </QueryView>
      <Section title="Sample decided answers">
        <DrawForm slug={project.slug} />
      </Section>
      <Section title="Training results">
        <QueryView query={plan}>{(found) => <TraineeTable slug={project.slug} plan={found} />}</QueryView>
      </Section>
    </Page>
  );
}

function NoneYet() {
  return (
    <AwaitingState
      then="Then people judge and decide."
      title="No known answers yet"
      action={
        <ProjectButtonLink page="answers" search={{ state: "decided" }}>
          Browse decided answers
        </ProjectButtonLink>
      }
    >
      <p>
        Use the form below to sample decided answers. You can also open a decided answer, choose “Use as known
        answer,” and add an explanation.
      </p>
    </AwaitingState>
  );
}

interface KnownTableProps {
  readonly slug: string;
  readonly rows: readonly KnownAnswer[];
}

function KnownTable({ slug, rows }: KnownTableProps) {
  const { labels } = useProject();
  const [withdrawing, setWithdrawing] = useState<KnownAnswer | null>(null);
  const [changing, setChanging] = useState<KnownAnswer | null>(null);
  const nameOf = (key: string) => labels.find((label) => label.key === key)?.name ?? labelName(key);
  return (
    <>
      <Table
        folds
        caption="Known answers"
        columns={knownColumns(nameOf, setChanging, setWithdrawing)}
        rows={rows}
        rowKey={(known) => known.id}
        file={{ name: "known-answers" }}
      />
      {changing && (
        <KnownMarkDialog
          slug={slug}
          answer={{ id: changing.answer, label: changing.label }}
          known={changing}
          onClose={() => setChanging(null)}
        />
      )}
      {withdrawing && (
        <ConfirmDialog
          title="Remove known answer?"
          confirm="Remove"
          onConfirm={() =>
            del("/api/projects/{slug}/known-answers/{known_id}", { slug, known_id: withdrawing.id })
          }
          stale={[keyOf("/api/projects/{slug}", { slug })]}
          onClose={() => setWithdrawing(null)}
        >
          <p>
            Annotators will no longer get “{withdrawing.text}” as a known answer. Their labels for it will no
            longer count in their statistics.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function knownColumns(
  nameOf: (label: string) => string,
  onChange: (known: KnownAnswer) => void,
  onWithdraw: (known: KnownAnswer) => void,
): Column<KnownAnswer>[] {
  return [
    {
      key: "answer",
      header: "Answer",
      cell: ({ answer, text, question }) => <AnswerCell id={answer} answer={text} question={question} />,
      value: ({ text }) => text,
      csv: ({ answer, text, question }) => ({ id: answer, question, answer: text }),
    },
    {
      key: "label",
      header: "Known label",
      cell: ({ label }) => <LabelMark label={label} name={nameOf(label)} />,
      value: ({ label }) => label,
    },
    { key: "purpose", header: "Purpose", cell: ({ use }) => wordsOfUse(use), value: ({ use }) => use },
    {
      key: "explanation",
      header: "Explanation",
      cell: ({ explanation }) => <span dir="auto">{explanation || "–"}</span>,
      csv: ({ explanation, marked_by, marked_at }) => ({ explanation, marked_by, marked_at }),
    },
    {
      key: "acts",
      header: <span className="visually-hidden">Change</span>,
      cell: (known) => (
        <span className="row">
          <Button size="small" variant="quiet" onClick={() => onChange(known)}>
            {known.explanation === "" ? "Add explanation" : "Change"}
            <span className="visually-hidden"> “{known.text}”</span>
          </Button>
          <Button size="small" variant="quiet" onClick={() => onWithdraw(known)}>
            Remove<span className="visually-hidden"> “{known.text}”</span>
          </Button>
        </span>
      ),
    },
  ];
}

interface Draft {
  readonly use: KnownAnswer["use"];
  readonly number: string;
  readonly seed: string;
  readonly onlyUnanimous: boolean;
}

function DrawForm({ slug }: { readonly slug: string }) {
  const [draft, setDraft] = useState<Draft>({ use: "hidden", number: "20", seed: "1", onlyUnanimous: true });
  const drawing = useWrite(
    (draft: Draft) =>
      post(
        "/api/projects/{slug}/known-answers/draw",
        { slug },
        {
          use: draft.use,
          number: Number(draft.number),
          seed: Number(draft.seed),
          only_unanimous: draft.onlyUnanimous,
        },
      ),
    {
      note: (drawn) => `Added ${countOf(drawn.length, "known answer")}.`,
      stale: [keyOf("/api/projects/{slug}", { slug })],
    },
  );
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const field = fieldsOf(draft, change);
  return (
    <Form onSubmit={() => drawing.mutate(draft)}>
      <FieldRow columns={3}>
        <Choice label="Purpose" value={draft.use} options={USES} onChange={(use) => change({ use })} />
        <TextField label="Number of answers" type="number" required min={1} max={1000} {...field("number")} />
        <TextField
          label="Seed"
          explains={explained("seed")}
          hint="The same seed always gives the same sample."
          type="number"
          required
          min={0}
          {...field("seed")}
        />
      </FieldRow>
      <Checkbox
        label="Only answers that all annotators agreed on"
        hint="If this is turned off, the sample can include any answer that people have decided. It never includes answers that judges settled."
        checked={draft.onlyUnanimous}
        onChange={(onlyUnanimous) => change({ onlyUnanimous })}
      />
      <Submit write={drawing}>Sample answers</Submit>
    </Form>
  );
}

interface TraineeTableProps {
  readonly slug: string;
  readonly plan: QualityPlan;
}

function TraineeTable({ slug, plan }: TraineeTableProps) {
  const letting = useWrite(
    (trainee: Trainee) =>
      post("/api/projects/{slug}/trainees/{member_id}/let-through", { slug, member_id: trainee.member_id }),
    {
      keeps: read("/api/projects/{slug}/quality-plan", { slug }).queryKey,
      note: (_, trainee) => `${trainee.name} can start judging.`,
      refusal: "note",
    },
  );
  if (!plan.is_training) {
    return (
      <p>
        Training is off. Turn it on <ProjectLink page="work">in the work plan</ProjectLink>.
      </p>
    );
  }
  if (plan.trainees.length === 0) return <p>Annotators appear here after they join.</p>;
  return (
    <Table
      folds
      caption="Annotators in training"
      columns={traineeColumns((trainee) => letting.mutate(trainee))}
      rows={plan.trainees}
      rowKey={(trainee) => trainee.member_id}
      file={{ name: "training-results" }}
    />
  );
}

function traineeColumns(onLetThrough: (trainee: Trainee) => void): Column<Trainee>[] {
  return [
    {
      key: "annotator",
      header: "Annotator",
      cell: ({ name }) => <span dir="auto">{name}</span>,
      value: ({ name }) => name,
      csv: ({ name, pseudonym }) => ({ annotator: name, pseudonym }),
    },
    {
      key: "training",
      header: "Training",
      explains: explained("training"),
      cell: traineeWords,
      value: traineeWords,
    },
    numberColumn("attempts", "Attempts", ({ attempts }) => attempts),
    {
      key: "right",
      header: "Correct on last attempt",
      align: "end",
      cell: ({ right, total }) => (total === 0 ? "–" : `${right} of ${total}`),
      value: ({ right, total }) => (total === 0 ? null : right / total),
      csv: ({ right, total }) => ({ correct: total === 0 ? null : right, of: total === 0 ? null : total }),
    },
    {
      key: "through",
      header: <span className="visually-hidden">Waive training</span>,
      cell: (trainee) =>
        ["due", "failed"].includes(trainee.state) && (
          <Button size="small" onClick={() => onLetThrough(trainee)}>
            Waive training<span className="visually-hidden"> for {trainee.name}</span>
          </Button>
        ),
    },
  ];
}

const STATES: Readonly<Record<Trainee["state"], string>> = {
  due: "not finished",
  failed: "not passed yet",
  passed: "passed",
  let_through: "waived",
};

function traineeWords({ state }: Trainee): string {
  return STATES[state];
}
