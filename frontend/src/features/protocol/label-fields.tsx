/** The labels in the order of their keys: what each is called and what it is worth. */
import type { ApiError } from "../../api/error";
import { Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { OrderedItems } from "../../components/ordered-items";
import { type Change, type Credit, CREDITS, type LabelDraft } from "./draft";
import styles from "./protocol.module.css";
import { CREDIT_WORDS } from "./words";

const MOST_LABELS = 5;
const FEWEST_LABELS = 2;
const NEW_LABEL: LabelDraft = { key: "", name: "", credit: "missing" };

interface LabelFieldsProps {
  readonly labels: readonly LabelDraft[];
  readonly error: ApiError | null;
  readonly change: Change;
}

export function LabelFields({ labels, error, change }: LabelFieldsProps) {
  return (
    <>
      <p className={styles["soft"]}>A label’s place is its key on the keyboard.</p>
      <OrderedItems
        items={labels}
        noun="label"
        addition={{ words: "Add a label", item: NEW_LABEL }}
        fewest={FEWEST_LABELS}
        most={MOST_LABELS}
        error={error?.fieldMessage("labels")}
        onChange={(next) => change({ labels: next })}
      >
        {(label, place, keep) => <LabelRow label={label} place={place} error={error} keep={keep} />}
      </OrderedItems>
    </>
  );
}

interface LabelRowProps {
  readonly label: LabelDraft;
  readonly place: number;
  readonly error: ApiError | null;
  readonly keep: (part: Partial<LabelDraft>) => void;
}

function LabelRow({ label, place, error, keep }: LabelRowProps) {
  return (
    <FieldRow>
      <TextField
        label={`Label ${place + 1}`}
        maxLength={60}
        error={error?.fieldMessage(`labels.${place}.name`)}
        value={label.name}
        onChange={(event) => keep({ name: event.target.value })}
      />
      <Select
        label={`Worth of label ${place + 1}`}
        error={error?.fieldMessage(`labels.${place}.credit`)}
        value={label.credit}
        onChange={(event) => keep({ credit: event.target.value as Credit })}
      >
        {CREDITS.map((credit) => (
          <option key={credit} value={credit}>
            {CREDIT_WORDS[credit]}
          </option>
        ))}
      </Select>
    </FieldRow>
  );
}
