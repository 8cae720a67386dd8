/** Writes a prompt of the project's own, from one that there is, and shows it filled in before it is kept. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { Prompt, PromptDraftRequest, PromptPreview as Preview } from "../../api/schema";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Choice, FieldRow, fieldsOf, TextArea, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { useWrite } from "../../components/use-write";
import { PARSERS } from "../../domain/parsers";
import styles from "./prompts.module.css";

interface PromptDialogProps {
  readonly slug: string;
  readonly origin: Prompt;
  readonly onClose: () => void;
}

export function PromptDialog({ slug, origin, onClose }: PromptDialogProps) {
  const [draft, setDraft] = useState<PromptDraftRequest>(() => draftOf(origin));
  const preview = useWrite(() => post("/api/projects/{slug}/prompts/preview", { slug }, { draft }));
  const save = useWrite(() => post("/api/projects/{slug}/prompts", { slug }, draft), {
    stale: [keyOf("/api/projects/{slug}/prompts", { slug })],
    onDone: onClose,
  });
  const failure = save.error ?? preview.error;
  return (
    <FormDialog
      wide
      title={origin.built_in ? "New prompt" : `New version of ${origin.key}`}
      action="Save"
      cancel={null}
      actions={
        <Button busy={preview.isPending} onClick={() => preview.mutate()}>
          Preview
        </Button>
      }
      write={{ isPending: save.isPending, error: failure }}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <PromptFields
        draft={draft}
        complaint={(name) => fieldMessage(failure, name)}
        onChange={(changes) => {
          setDraft((before) => ({ ...before, ...changes }));
          preview.reset();
        }}
      />
      {preview.data && <PromptPreview preview={preview.data} />}
    </FormDialog>
  );
}

interface PromptFieldsProps {
  readonly draft: PromptDraftRequest;
  readonly complaint: (field: string) => string | null;
  readonly onChange: (changes: Partial<PromptDraftRequest>) => void;
}

function PromptFields({ draft, complaint, onChange }: PromptFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <>
      <FieldRow>
        <TextField
          label="Key"
          hint="Used in commands. Reusing a key creates a new version."
          required
          {...field("key")}
        />
        <TextField label="Name" {...field("name")} />
      </FieldRow>
      <TextArea label="System message" rows={5} {...field("system")} />
      <TextArea
        label="User message"
        hint="Assay replaces {question}, {golds}, {answer}, {passages}, and {examples} with their text. {data} inserts the question, gold answers, and answer as quoted data between {fence} markers, so that an answer cannot give the model instructions."
        required
        rows={8}
        {...field("template")}
      />
      <Choice
        label="Reply format"
        value={draft.parser ?? "strict"}
        options={PARSERS.map(({ key, name, about }) => ({ value: key, name: `${name}: ${about}` }))}
        onChange={(parser) => onChange({ parser })}
      />
    </>
  );
}

function PromptPreview({ preview }: { readonly preview: Preview }) {
  return (
    <Notice title="Messages to the model">
      {preview.messages.map((message, index) => (
        <div key={index}>
          <p className="soft">{message.role}</p>
          <pre className={styles["text"]}>{message.content}</pre>
        </div>
      ))}
      {preview.settled && (
        <p>The model is not asked about this answer. Reason: {preview.settled.replaceAll("_", " ")}.</p>
      )}
    </Notice>
  );
}

/** What Assay brings is adapted under a key of one's own; an own prompt gets its next version. */
function draftOf(origin: Prompt): PromptDraftRequest {
  return {
    key: origin.built_in ? `my-${origin.key}` : origin.key,
    name: origin.built_in ? `${origin.name} (customized)` : origin.name,
    system: origin.system,
    template: origin.template,
    parser: origin.parser,
  };
}
