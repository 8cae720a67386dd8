/** Adding published numbers: one by a form, many from a CSV file. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../api/client";
import type { ReferenceDraftRequest, ReferencesRead } from "../api/schema";
import { fieldMessage } from "../api/error";
import { FormDialog } from "../components/dialog";
import { FileDrop } from "../components/file-drop";
import { Choice, FieldRow, fieldsOf, TextField } from "../components/form";
import { Notice } from "../components/notice";
import { Table } from "../components/table";
import { useWrite } from "../components/use-write";
import { countOf, formatPercent } from "../lib/numbers";
import { complaintsOf, type Draft, EMPTY_DRAFT, type Measure, requestOf } from "./references";

interface ReferenceDialogProps {
  readonly slug: string;
  readonly subject: ReferenceDraftRequest["subject"];
  readonly measures: readonly Measure[];
  readonly onClose: () => void;
}

export function ReferenceDialog({ slug, subject, measures, onClose }: ReferenceDialogProps) {
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, measure: measures[0]?.key ?? "" });
  const [isTried, setIsTried] = useState(false);
  const add = useWrite(
    () => post("/api/projects/{slug}/reference-scores", { slug }, requestOf(draft, subject)),
    { stale: [keyOf("/api/projects/{slug}/reference-scores", { slug })], onDone: onClose },
  );
  const complaints = complaintsOf(draft);
  const submit = () => {
    setIsTried(true);
    if (Object.keys(complaints).length === 0) add.mutate();
  };
  const complaint = (field: string) =>
    (isTried && complaints[field as keyof Draft]) || fieldMessage(add.error, field);
  return (
    <FormDialog
      title={
        subject === "system" ? "Add a published result for a system" : "Add a published result for a judge"
      }
      action="Add result"
      write={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <ReferenceFields
        draft={draft}
        slug={slug}
        subject={subject}
        measures={measures}
        complaint={complaint}
        onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      />
    </FormDialog>
  );
}

interface ReferenceFieldsProps {
  readonly slug: string;
  readonly draft: Draft;
  readonly subject: ReferenceDraftRequest["subject"];
  readonly measures: readonly Measure[];
  readonly complaint: (field: string) => string | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function ReferenceFields({ slug, draft, subject, measures, complaint, onChange }: ReferenceFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <>
      <FieldRow>
        <TextField
          autoFocus
          label={subject === "system" ? "System" : "Judge"}
          maxLength={200}
          {...field("name")}
        />
        {subject === "judge" && <TextField label="Prompt (optional)" maxLength={100} {...field("prompt")} />}
      </FieldRow>
      {subject === "system" ? (
        <DatasetField slug={slug} {...field("dataset")} />
      ) : (
        <SystemField slug={slug} {...field("system")} />
      )}
      <FieldRow>
        <Choice
          label="Measured by"
          options={[...measures.map(({ key, name }) => ({ value: key, name })), SOMETHING_ELSE]}
          {...field("measure")}
        />
        {draft.measure === "" && <TextField label="Measure name" maxLength={200} {...field("words")} />}
      </FieldRow>
      <FieldRow>
        <TextField
          label="Percent"
          inputMode="decimal"
          hint="Enter a κ or τ of 0.73 as 73."
          {...field("percent")}
        />
        <TextField label="Number of answers (optional)" inputMode="numeric" {...field("n")} />
      </FieldRow>
      <TextField
        label="Measured on (if not on this project’s questions)"
        maxLength={200}
        {...field("about")}
      />
      <TextField label="Publication" maxLength={500} {...field("source")} />
      <TextField label="Source URL" type="url" maxLength={500} {...field("source_url")} />
    </>
  );
}

const SOMETHING_ELSE = { value: "", name: "Other" };

interface PlaceFieldProps {
  readonly slug: string;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

/** Asked where the study has several. */
function DatasetField({ slug, ...field }: PlaceFieldProps) {
  const { data } = useQuery(read("/api/projects/{slug}/filters", { slug }));
  if (!data || data.datasets.length < 2) return null;
  const options = data.datasets.map((name) => ({ value: name, name }));
  return <Choice label="Data set" empty="All data sets" options={options} {...field} />;
}

function SystemField({ slug, ...field }: PlaceFieldProps) {
  const { data } = useQuery(read("/api/projects/{slug}/systems", { slug }));
  if (!data || data.length < 2) return null;
  const options = data.map(({ name, label }) => ({ value: name, name: label }));
  return <Choice label="System" empty="All systems" options={options} {...field} />;
}

interface ReferenceFileDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

export function ReferenceFileDialog({ slug, onClose }: ReferenceFileDialogProps) {
  const [content, setContent] = useState("");
  const look = useWrite(async (file: File) => {
    const text = await file.text();
    setContent(text);
    return post(
      "/api/projects/{slug}/reference-scores/import",
      { slug },
      { content: text, is_dry_run: true },
    );
  });
  const keep = useWrite(
    () => post("/api/projects/{slug}/reference-scores/import", { slug }, { content, is_dry_run: false }),
    {
      stale: [keyOf("/api/projects/{slug}/reference-scores", { slug })],
      onDone: (read) => read.problems.length === 0 && onClose(),
    },
  );
  const read = keep.data ?? look.data;
  return (
    <FormDialog
      wide
      title="Import published results"
      action={
        read && read.problems.length === 0
          ? `Add ${countOf(read.references.length, "result")}`
          : "Add results"
      }
      write={{ isPending: keep.isPending, error: keep.error ?? look.error }}
      isReady={read !== undefined && read.problems.length === 0}
      onSubmit={() => keep.mutate()}
      onClose={onClose}
    >
      <FileDrop
        label="Choose a CSV file, or drop it here"
        hint="Columns: name, measure, percent, source. Optional: subject, n, about, dataset, system, prompt, source_url."
        accept=".csv,text/csv"
        multiple={false}
        onFiles={([file]) => {
          keep.reset();
          if (file) look.mutate(file);
        }}
      />
      {read && (read.problems.length > 0 ? <Problems read={read} /> : <Preview read={read} />)}
    </FormDialog>
  );
}

function Problems({ read }: { readonly read: ReferencesRead }) {
  return (
    <Notice tone="warning" title="Nothing is added until you correct the file and choose it again.">
      <ul>
        {read.problems.slice(0, 20).map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            {line > 0 && `Line ${line}`}
            {line > 0 && column && `, ${column}`}
            {line > 0 && ": "}
            {message}
          </li>
        ))}
      </ul>
      {read.problems.length > 20 && <p>And {countOf(read.problems.length - 20, "more problem")}.</p>}
    </Notice>
  );
}

const PREVIEWED = 5;

function Preview({ read }: { readonly read: ReferencesRead }) {
  return (
    <Table
      caption="Rows in the file"
      rows={read.references.slice(0, PREVIEWED)}
      rowKey={({ subject, name, measure, about, dataset, system, prompt }) =>
        JSON.stringify([subject, name, measure, about, dataset, system, prompt])
      }
      columns={[
        { key: "name", header: "Name", cell: ({ name }) => name },
        { key: "measure", header: "Measured by", cell: ({ measure }) => measure },
        { key: "value", header: "Percent", align: "end", cell: ({ value }) => formatPercent(value) },
        { key: "source", header: "Source", cell: ({ source }) => source },
      ]}
      footer={
        read.references.length > PREVIEWED && (
          <tr>
            <td colSpan={4}>And {countOf(read.references.length - PREVIEWED, "more row")}.</td>
          </tr>
        )
      }
    />
  );
}
