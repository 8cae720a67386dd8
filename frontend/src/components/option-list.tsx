/** One of several ways, each with words that say what it is for, and with more to say where it is chosen. */
import { type ReactNode, useId, useState } from "react";
import { More } from "./list";
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
  /** Further options, folded below the others unless the list begins with one of them chosen. */
  readonly folded?: readonly ListedOption<Value>[];
  /** What they are called. */
  readonly foldedLabel?: string;
  readonly onChange: (value: Value) => void;
}

export function OptionList<Value extends string>(props: OptionListProps<Value>) {
  const { label, hint, value, options, folded = [], foldedLabel = "", onChange } = props;
  const group = useId();
  const [isOpen] = useState(() => folded.some((option) => option.value === value));
  const listed = (some: readonly ListedOption<Value>[]) =>
    some.map((option) => (
      <OneOption
        key={option.value}
        option={option}
        group={group}
        isChosen={option.value === value}
        onChoose={() => onChange(option.value)}
      />
    ));
  return (
    <fieldset className={styles["list"]}>
      <legend className={styles["legend"]}>{label}</legend>
      {hint && <p className="soft">{hint}</p>}
      {listed(options)}
      {folded.length > 0 && (
        <More summary={foldedLabel} open={isOpen}>
          <div className={styles["list"]}>{listed(folded)}</div>
        </More>
      )}
    </fieldset>
  );
}

interface OneOptionProps {
  readonly option: ListedOption<string>;
  readonly group: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function OneOption({ option, group, isChosen, onChoose }: OneOptionProps) {
  return (
    <div className={styles["option"]}>
      <label className={styles["choice"]}>
        <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
        <span className={styles["words"]}>
          <span className={styles["head"]}>
            <span className={styles["name"]}>{option.name}</span>
            {option.mark && <> {option.mark}</>}
          </span>
          {option.words && <span>{option.words}</span>}
        </span>
      </label>
      {isChosen && option.more && <div className={styles["more"]}>{option.more}</div>}
    </div>
  );
}
