/** A line with a text and the choices for it, one key each. */
import type { ReactNode, Ref } from "react";
import { LabelShape } from "../../components/label-mark";
import { KeyHint } from "../../components/key-hint";
import { classNames } from "../../lib/class-names";
import { toneOfCredit } from "../../lib/labels";
import styles from "./choice-row.module.css";

export interface ChoiceRowProps {
  /** What a screen reader calls the group. */
  readonly name: string;
  readonly text: string;
  readonly kind: "check" | "answer";
  readonly options: readonly {
    readonly key: string;
    readonly name: string;
    readonly credit: string;
    /** The key that chooses it, as it is set now; none where keys are off. */
    readonly hint: string | undefined;
  }[];
  readonly choice: string | null;
  readonly current: boolean;
  readonly placeRef: Ref<HTMLDivElement>;
  readonly onEnter: () => void;
  /** `advance` is false where the browser's own arrow keys walk through the choices. */
  readonly onChoose: (choice: string, advance: boolean) => void;
  /** What stands beside the text. */
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

export function ChoiceRow(props: ChoiceRowProps) {
  const { name, text, kind, options, choice, current, placeRef, onEnter, onChoose, beside, children } = props;
  return (
    <div
      ref={placeRef}
      role="radiogroup"
      tabIndex={-1}
      aria-label={name}
      aria-current={current || undefined}
      className={classNames(styles["row"], current && styles["current"])}
      onPointerDown={onEnter}
      onFocus={onEnter}
    >
      <div className={styles["words"]}>
        <p className={classNames(styles["text"], kind === "check" && styles["check"])} dir="auto">
          {text}
        </p>
        {beside}
      </div>
      <div className={styles["options"]}>
        {options.map((option) => (
          <label key={option.key} className={styles["option"]} data-tone={toneOfCredit(option.credit)}>
            <input
              type="radio"
              className={styles["input"]}
              name={name}
              checked={choice === option.key}
              onChange={(event) => onChoose(option.key, (event.nativeEvent as MouseEvent).detail > 0)}
            />
            <span className={styles["face"]}>
              {option.hint && <KeyHint name={option.hint} />}
              {kind === "answer" && <LabelShape tone={toneOfCredit(option.credit)} />}
              {option.name}
            </span>
          </label>
        ))}
      </div>
      {children}
    </div>
  );
}
