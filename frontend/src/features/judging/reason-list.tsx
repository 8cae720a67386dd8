/** One of a few reasons, all in sight. */
import { useId } from "react";
import styles from "./dialogs.module.css";

interface ReasonListProps {
  readonly legend: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ReasonList({ legend, options, value, onChange }: ReasonListProps) {
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
