/** The labels in the order of their keys: what each is called and what it is worth. */
import type { ApiError } from "../../api/error";
import { Button } from "../../components/button";
import { Select, TextField } from "../../components/field";
import { FormError } from "../../components/form";
import { type Change, type Credit, CREDITS, type LabelDraft, moved, put, without } from "./draft";
import styles from "./protocol.module.css";
import { CREDIT_WORDS } from "./words";

const MOST_LABELS = 5;
const FEWEST_LABELS = 2;

interface LabelFieldsProps {
  readonly labels: readonly LabelDraft[];
  readonly error: ApiError | null;
  readonly change: Change;
}

export function LabelFields({ labels, error, change }: LabelFieldsProps) {
  const complaint = error?.fieldMessage("labels");
  return (
    <>
      <p className={styles["soft"]}>A label’s place is its key on the keyboard.</p>
      <ol className={styles["items"]}>
        {labels.map((label, place) => (
          <li key={place} className={styles["item"]}>
            <LabelRow label={label} place={place} labels={labels} error={error} change={change} />
          </li>
        ))}
      </ol>
      {complaint && <FormError>{complaint}</FormError>}
      <div>
        <Button
          size="small"
          disabled={labels.length >= MOST_LABELS}
          onClick={() => change({ labels: [...labels, { key: "", name: "", credit: "missing" }] })}
        >
          Add a label
        </Button>
      </div>
    </>
  );
}

interface LabelRowProps extends LabelFieldsProps {
  readonly label: LabelDraft;
  readonly place: number;
}

function LabelRow({ label, place, labels, error, change }: LabelRowProps) {
  const keep = (part: Partial<LabelDraft>) => change({ labels: put(labels, place, part) });
  return (
    <>
      <div className={styles["pair"]}>
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
      </div>
      <ItemActions
        name={`label ${place + 1}`}
        isFirst={place === 0}
        isLast={place === labels.length - 1}
        canRemove={labels.length > FEWEST_LABELS}
        onMove={(by) => change({ labels: moved(labels, place, by) })}
        onRemove={() => change({ labels: without(labels, place) })}
      />
    </>
  );
}

interface ItemActionsProps {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly canRemove: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

export function ItemActions({ name, isFirst, isLast, canRemove, onMove, onRemove }: ItemActionsProps) {
  return (
    <div className={styles["actions"]}>
      <Button size="small" variant="quiet" disabled={isFirst} onClick={() => onMove(-1)}>
        Up<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={isLast} onClick={() => onMove(1)}>
        Down<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={!canRemove} onClick={onRemove}>
        Remove<span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  );
}
