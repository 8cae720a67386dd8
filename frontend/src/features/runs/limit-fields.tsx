/** How much of it at first, and how much money at most. */
import type { Judge } from "../../api/contract";
import { FieldRow, TextField } from "../../components/form";
import type { RunDraft } from "./run-draft";

interface LimitFieldsProps {
  readonly judge: Judge;
  readonly draft: RunDraft;
  readonly onChange: (changes: Partial<RunDraft>) => void;
}

export function LimitFields({ judge, draft, onChange }: LimitFieldsProps) {
  return (
    <FieldRow>
      <TextField
        label="Try on a sample first"
        hint="Number of answers, drawn at random; then you see what the rest would take. Empty: all of them."
        inputMode="numeric"
        value={draft.sampleSize}
        onChange={(event) => onChange({ sampleSize: event.target.value })}
      />
      {judge.needs === "connection" && (
        <TextField
          label="Spend at most (USD)"
          hint="The run pauses before it would cost more. Empty: no limit of its own."
          inputMode="decimal"
          value={draft.spendCap}
          onChange={(event) => onChange({ spendCap: event.target.value })}
        />
      )}
    </FieldRow>
  );
}
