/** The fields of a prompt. */
import type { PromptDraft } from "../../api/contract";
import { FieldRow } from "../../components/field-row";
import { Select, TextArea, TextField } from "../../components/field";

interface PromptFieldsProps {
  readonly draft: PromptDraft;
  readonly complaint: (field: string) => string | null;
  readonly onChange: (changes: Partial<PromptDraft>) => void;
}

const PARSERS: readonly { readonly key: NonNullable<PromptDraft["parser"]>; readonly name: string }[] = [
  { key: "strict", name: "Strict: first word yes or no, nothing that contradicts it" },
  { key: "first-word", name: "First word: yes or no, as published" },
  { key: "last-after-bar", name: "Last after “|”: reasons first, verdict last" },
  { key: "label", name: "Label: a JSON object with one of three labels" },
];

export function PromptFields({ draft, complaint, onChange }: PromptFieldsProps) {
  return (
    <>
      <FieldRow>
        <TextField
          label="Key"
          hint="Names it in commands; the same key makes a new version."
          required
          value={draft.key}
          error={complaint("key")}
          onChange={(event) => onChange({ key: event.target.value })}
        />
        <TextField
          label="Name"
          value={draft.name ?? ""}
          error={complaint("name")}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </FieldRow>
      <TextArea
        label="System message"
        rows={5}
        value={draft.system ?? ""}
        error={complaint("system")}
        onChange={(event) => onChange({ system: event.target.value })}
      />
      <TextArea
        label="Question to the model"
        hint="{question}, {golds} and {answer} are filled in as they are, {examples} where there are any. {data} brings all three as quoted data between markers named {fence}: then an answer cannot give orders."
        required
        rows={8}
        value={draft.template}
        error={complaint("template")}
        onChange={(event) => onChange({ template: event.target.value })}
      />
      <Select
        label="How the reply is read"
        value={draft.parser ?? "strict"}
        onChange={(event) => onChange({ parser: event.target.value as NonNullable<PromptDraft["parser"]> })}
      >
        {PARSERS.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}
