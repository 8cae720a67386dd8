/** One of a few reasons, all in sight. */
import { useId } from "react";
import styles from "./dialogs.module.css";

interface ReasonListProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function ReasonList<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: ReasonListProps<Value>) {
  const group = useId();
  return (
    <fieldset className={styles["reasons"]}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles["reason"]}>
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            data-autofocus={option.value === value || undefined}
            onChange={() => onChange(option.value)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
