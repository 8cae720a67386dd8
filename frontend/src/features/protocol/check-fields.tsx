/** What raters are asked about the question itself, before its answers. */
import type { ApiError } from "../../api/error";
import { Button } from "../../components/button";
import { Checkbox, Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { FormError } from "../../components/form";
import { type Change, type CheckDraft, moved, numberFrom, type ProtocolDraft, put, without } from "./draft";
import { ItemActions } from "./label-fields";
import styles from "./protocol.module.css";

const MOST_CHECKS = 5;
const NEW_CHECK: CheckDraft = { key: "", text: "", rule: "any", at_least: 2, skips_answers: false };

interface CheckFieldsProps {
  readonly draft: ProtocolDraft;
  readonly error: ApiError | null;
  readonly change: Change;
}

export function CheckFields({ draft, error, change }: CheckFieldsProps) {
  const checks = draft.question_checks;
  const complaint = error?.fieldMessage("question_checks");
  return (
    <>
      {checks.length === 0 && <p className={styles["soft"]}>Nothing: raters judge the answers alone.</p>}
      <ol className={styles["items"]}>
        {checks.map((check, place) => (
          <li key={place} className={styles["item"]}>
            <CheckRow check={check} place={place} draft={draft} error={error} change={change} />
          </li>
        ))}
      </ol>
      {complaint && <FormError>{complaint}</FormError>}
      <div>
        <Button
          size="small"
          disabled={checks.length >= MOST_CHECKS}
          onClick={() => change({ question_checks: [...checks, NEW_CHECK] })}
        >
          Ask something about the question
        </Button>
      </div>
      {checks.length > 0 && (
        <Checkbox
          label="Show the answers only once this is answered"
          hint="So that the answers do not change how the question is seen."
          checked={draft.checks_first}
          onChange={(event) => change({ checks_first: event.target.checked })}
        />
      )}
    </>
  );
}

interface CheckRowProps extends CheckFieldsProps {
  readonly check: CheckDraft;
  readonly place: number;
}

function CheckRow({ check, place, draft, error, change }: CheckRowProps) {
  const checks = draft.question_checks;
  const keep = (part: Partial<CheckDraft>) => change({ question_checks: put(checks, place, part) });
  const complaint = (field: string) => error?.fieldMessage(`question_checks.${place}.${field}`);
  return (
    <>
      <TextField
        label={`Question ${place + 1}, to be answered with yes or no`}
        maxLength={300}
        error={complaint("text")}
        value={check.text}
        onChange={(event) => keep({ text: event.target.value })}
      />
      <FieldRow>
        <Select
          label={`Question ${place + 1} counts as answered yes when`}
          value={check.rule}
          onChange={(event) => keep({ rule: event.target.value as CheckDraft["rule"] })}
        >
          <option value="any">any rater says so</option>
          <option value="at_least">enough raters say so</option>
        </Select>
        {check.rule === "at_least" && (
          <TextField
            label={`Raters who must say yes to question ${place + 1}`}
            type="number"
            min={1}
            max={9}
            error={complaint("at_least")}
            value={check.at_least}
            onChange={(event) => keep({ at_least: numberFrom(event.target.value) })}
          />
        )}
      </FieldRow>
      <Checkbox
        label={`A yes to question ${place + 1} skips the rest`}
        hint="Nothing else is asked of this rater, and the question leaves every score when enough say yes."
        checked={check.skips_answers}
        onChange={(event) => keep({ skips_answers: event.target.checked })}
      />
      <ItemActions
        name={`question ${place + 1}`}
        isFirst={place === 0}
        isLast={place === checks.length - 1}
        canRemove
        onMove={(by) => change({ question_checks: moved(checks, place, by) })}
        onRemove={() => change({ question_checks: without(checks, place) })}
      />
    </>
  );
}
