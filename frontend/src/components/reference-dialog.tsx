/** The form for a published number. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../api/client";
import type { ReferenceDraft } from "../api/contract";
import { ApiError, messageOf } from "../api/error";
import { complaintsOf, type Draft, EMPTY_DRAFT, type Measure, requestOf } from "../lib/references";
import { FormDialog } from "./form-dialog";
import { Select, TextField } from "./field";
import { FieldRow } from "./field-row";

interface ReferenceDialogProps {
  readonly slug: string;
  readonly subject: ReferenceDraft["subject"];
  readonly measures: readonly Measure[];
  readonly onClose: () => void;
}

export function ReferenceDialog({ slug, subject, measures, onClose }: ReferenceDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, measure: measures[0]?.key ?? "" });
  const [isTried, setIsTried] = useState(false);
  const add = useMutation({
    mutationFn: () => post("/api/projects/{slug}/reference-scores", { slug }, requestOf(draft, subject)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/reference-scores", { slug }),
      });
      onClose();
    },
  });
  const complaints = complaintsOf(draft);
  const submit = () => {
    setIsTried(true);
    if (Object.keys(complaints).length === 0) add.mutate();
  };
  const complaint = (field: keyof Draft) =>
    (isTried && complaints[field]) || (add.error instanceof ApiError ? add.error.fieldMessage(field) : null);
  return (
    <FormDialog
      title={subject === "system" ? "A published number of a system" : "A published number of a judge"}
      action="Add"
      isBusy={add.isPending}
      refusal={add.isError ? messageOf(add.error) : null}
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
  readonly subject: ReferenceDraft["subject"];
  readonly measures: readonly Measure[];
  readonly complaint: (field: keyof Draft) => string | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function ReferenceFields({ slug, draft, subject, measures, complaint, onChange }: ReferenceFieldsProps) {
  const field = (name: keyof Draft) => ({
    value: draft[name],
    error: complaint(name),
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <FieldRow>
        <TextField
          autoFocus
          label={subject === "system" ? "System" : "Judge"}
          maxLength={200}
          {...field("name")}
        />
        {subject === "judge" && (
          <TextField label="Prompt, if it was asked by one" maxLength={100} {...field("prompt")} />
        )}
      </FieldRow>
      {subject === "system" ? (
        <DatasetField slug={slug} {...field("dataset")} />
      ) : (
        <SystemField slug={slug} {...field("system")} />
      )}
      <FieldRow>
        <Select label="Measured by" {...field("measure")}>
          {measures.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
          <option value="">Something else</option>
        </Select>
        {draft.measure === "" && <TextField label="In words" maxLength={200} {...field("words")} />}
      </FieldRow>
      <FieldRow>
        <TextField label="Percent" inputMode="decimal" hint="A κ or τ of 0.73 is 73." {...field("percent")} />
        <TextField label="Of how many answers, if known" inputMode="numeric" {...field("n")} />
      </FieldRow>
      <TextField label="Measured on, if not on this study’s questions" maxLength={200} {...field("about")} />
      <TextField label="Where it was published" maxLength={500} {...field("source")} />
      <TextField label="Address of the source" type="url" maxLength={500} {...field("source_url")} />
    </>
  );
}

interface PlaceFieldProps {
  readonly slug: string;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}

/** Asked where the study has several. */
function DatasetField({ slug, ...field }: PlaceFieldProps) {
  const { data } = useQuery(read("/api/projects/{slug}/filters", { slug }));
  if (!data || data.datasets.length < 2) return null;
  return (
    <Select label="On the questions of" {...field}>
      <option value="">All data sets</option>
      {data.datasets.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

function SystemField({ slug, ...field }: PlaceFieldProps) {
  const { data } = useQuery(read("/api/projects/{slug}/systems", { slug }));
  if (!data || data.length < 2) return null;
  return (
    <Select label="On the answers of" {...field}>
      <option value="">All systems</option>
      {data.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </Select>
  );
}
