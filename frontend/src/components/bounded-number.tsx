/** A number with what it was counted from and its interval below: seen without pointing, and read out. */
import type { ReactNode } from "react";
import styles from "./bounded-number.module.css";
import { type Figure, whyWords } from "./figure";

interface BoundedNumberProps {
  readonly text: ReactNode;
  /** Both ends; nothing where there is no interval, or while it is computed. */
  readonly interval: readonly (number | null | undefined)[] | null | undefined;
  /** How an end is printed: as the number is. */
  readonly format: (end: number) => string;
  /** The counts behind the number. */
  readonly counts?: string | undefined;
  /** Why there is no interval. */
  readonly words?: string | undefined;
}

export function BoundedNumber({ text, interval, format, counts, words }: BoundedNumberProps) {
  const [low, high] = interval ?? [];
  return (
    <span className={styles["cell"]}>
      <span>{text}</span>
      {counts !== undefined && (
        <span className={styles["note"]}>
          <span className="visually-hidden">, </span>
          {counts}
        </span>
      )}
      {typeof low === "number" && typeof high === "number" && (
        <span className={styles["note"]}>
          <span className="visually-hidden">, 95 % interval </span>
          {format(low)} to {format(high)}
        </span>
      )}
      {words !== undefined && (
        <span className={styles["note"]} title={words}>
          <span className="visually-hidden">, </span>
          no interval<span className="visually-hidden">: {words}</span>
        </span>
      )}
    </span>
  );
}

interface BoundedFigureProps {
  readonly figure: Pick<Figure, "value" | "low" | "high" | "why">;
  readonly format: (value: number | null) => string;
  /** What stands for the number itself. */
  readonly text?: ReactNode;
  readonly counts?: string | undefined;
}

/** A figure so: what has no value is a dash, and what has one without an interval says why. */
export function BoundedFigure({ figure, format, text, counts }: BoundedFigureProps) {
  const { value, low, high } = figure;
  return (
    <BoundedNumber
      text={text ?? format(value)}
      interval={[low, high]}
      format={format}
      counts={counts}
      words={value === null ? undefined : whyWords(figure)}
    />
  );
}
