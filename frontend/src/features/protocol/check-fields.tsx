/** What raters are asked about the question itself, before its answers. */
import type { ApiError } from "../../api/error";
import { Checkbox, Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { OrderedItems } from "../../components/ordered-items";
import { type Change, type CheckDraft, numberFrom, type ProtocolDraft } from "./draft";
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
  return (
    <>
      {checks.length === 0 && <p className={styles["soft"]}>Nothing: raters judge the answers alone.</p>}
      <OrderedItems
        items={checks}
        noun="question"
        addition={{ words: "Ask something about the question", item: NEW_CHECK }}
        most={MOST_CHECKS}
        error={error?.fieldMessage("question_checks")}
        onChange={(next) => change({ question_checks: next })}
      >
        {(check, place, keep) => <CheckRow check={check} place={place} error={error} keep={keep} />}
      </OrderedItems>
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

interface CheckRowProps {
  readonly check: CheckDraft;
  readonly place: number;
  readonly error: ApiError | null;
  readonly keep: (part: Partial<CheckDraft>) => void;
}

function CheckRow({ check, place, error, keep }: CheckRowProps) {
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
    </>
  );
}
