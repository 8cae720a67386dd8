/** A choice of one among few, all in sight. */
import { useId } from "react";
import styles from "./segmented-control.module.css";

interface SegmentedControlProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly onChange: (value: Value) => void;
}

export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const group = useId();
  return (
    <fieldset className={styles["group"]}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.options.map((option) => (
        <label key={option.value} className={styles["option"]}>
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          <span className={styles["name"]}>{option.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
