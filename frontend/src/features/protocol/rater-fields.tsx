/** How many raters judge an answer, how their votes decide, and who settles what they do not. */
import type { ApiError } from "../../api/error";
import { Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { type Change, numberFrom, type ProtocolDraft } from "./draft";
import { DECISION_HINTS, DECISION_WORDS, TIE_BREAK_WORDS } from "./words";

interface RaterFieldsProps {
  readonly draft: ProtocolDraft;
  readonly error: ApiError | null;
  readonly change: Change;
}

export function RaterFields({ draft, error, change }: RaterFieldsProps) {
  return (
    <>
      <FieldRow>
        <TextField
          label="Raters for each answer"
          type="number"
          min={1}
          max={9}
          error={error?.fieldMessage("raters_per_answer")}
          value={draft.raters_per_answer}
          onChange={(event) => change({ raters_per_answer: numberFrom(event.target.value) })}
        />
        <Select
          label="Their votes come to"
          hint={DECISION_HINTS[draft.decision_rule]}
          error={error?.fieldMessage("decision_rule")}
          value={draft.decision_rule}
          onChange={(event) =>
            change({ decision_rule: event.target.value as ProtocolDraft["decision_rule"] })
          }
        >
          {Object.entries(DECISION_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </FieldRow>
      {draft.decision_rule === "majority" && <TieBreakFields draft={draft} error={error} change={change} />}
    </>
  );
}

function TieBreakFields({ draft, error, change }: RaterFieldsProps) {
  return (
    <>
      <Select
        label="Where they differ"
        error={error?.fieldMessage("tie_break")}
        value={draft.tie_break}
        onChange={(event) => change({ tie_break: event.target.value as ProtocolDraft["tie_break"] })}
      >
        {Object.entries(TIE_BREAK_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
      {draft.tie_break === "more_raters" && (
        <TextField
          label="Most raters in all"
          type="number"
          min={2}
          max={9}
          hint="After the last of them the lead decides."
          error={error?.fieldMessage("most_raters")}
          value={draft.most_raters}
          onChange={(event) => change({ most_raters: numberFrom(event.target.value) })}
        />
      )}
    </>
  );
}
