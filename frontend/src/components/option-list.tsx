/** One of several ways, each with words that say what it is for, and with more to say where it is chosen. */
import { type ReactNode, useId } from "react";
import styles from "./option-list.module.css";

export interface ListedOption<Value extends string> {
  readonly value: Value;
  readonly name: string;
  /** Beside the name: what sets the option apart, such as that it is recommended. */
  readonly mark?: ReactNode;
  readonly words?: ReactNode;
  /** Shown below the option while it is chosen. */
  readonly more?: ReactNode;
}

interface OptionListProps<Value extends string> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly value: Value;
  readonly options: readonly ListedOption<Value>[];
  readonly onChange: (value: Value) => void;
}

export function OptionList<Value extends string>(props: OptionListProps<Value>) {
  const { label, hint, value, options, onChange } = props;
  const group = useId();
  return (
    <fieldset className={styles["list"]}>
      <legend className={styles["legend"]}>{label}</legend>
      {hint && <p className="soft">{hint}</p>}
      {options.map((option) => (
        <div key={option.value} className={styles["option"]}>
          <label className={styles["choice"]}>
            <input
              type="radio"
              name={group}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className={styles["words"]}>
              <span className={styles["head"]}>
                <span className={styles["name"]}>{option.name}</span>
                {option.mark && <> {option.mark}</>}
              </span>
              {option.words && <span>{option.words}</span>}
            </span>
          </label>
          {option.value === value && option.more && <div className={styles["more"]}>{option.more}</div>}
        </div>
      ))}
    </fieldset>
  );
}
