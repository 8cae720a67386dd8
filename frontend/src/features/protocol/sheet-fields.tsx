/** How answers come to raters, and what people may see besides. */
import type { ApiError } from "../../api/error";
import { Checkbox, TextField } from "../../components/field";
import { FormError } from "../../components/form";
import { type Change, numberFrom, type ProtocolDraft } from "./draft";
import styles from "./protocol.module.css";

interface SheetFieldsProps {
  readonly draft: ProtocolDraft;
  readonly error: ApiError | null;
  readonly change: Change;
}

export function SheetFields({ draft, error, change }: SheetFieldsProps) {
  const complaint = error?.fieldMessage("pool_within_groups");
  return (
    <>
      <div className={styles["short"]}>
        <TextField
          label="Most answers on a sheet"
          type="number"
          min={1}
          max={20}
          error={error?.fieldMessage("sheet_size")}
          value={draft.sheet_size}
          onChange={(event) => change({ sheet_size: numberFrom(event.target.value) })}
        />
      </div>
      <Checkbox
        label="Fill up sheets that break a tie"
        hint="With settled answers that do not count again, so that the rater cannot tell."
        checked={draft.fill_tie_break_sheets}
        onChange={(event) => change({ fill_tie_break_sheets: event.target.checked })}
      />
      <Checkbox
        label="Each rater judges one group of systems"
        hint="Equal answers are one within a group only. To be chosen before answers come in."
        checked={draft.pool_within_groups}
        onChange={(event) => change({ pool_within_groups: event.target.checked })}
      />
      {complaint && <FormError>{complaint}</FormError>}
      <Checkbox
        label="Raters may read how a person decided answers they had judged"
        checked={draft.decisions_shown}
        onChange={(event) => change({ decisions_shown: event.target.checked })}
      />
      <Checkbox
        label="Adjudicators see which system gave an answer (leads always can)"
        checked={draft.adjudication_unblinded}
        onChange={(event) => change({ adjudication_unblinded: event.target.checked })}
      />
    </>
  );
}
