/** A value with its interval, thin enough for a table cell; all bars of a column share one scale and one width. */
import type { ReactNode } from "react";
import styles from "./interval-bar.module.css";

interface IntervalBarProps {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The scale's ends, 0 and 1 unless told; of a value below it only the number is shown, one beyond is an arrow. */
  readonly from?: number;
  readonly to?: number;
  /** The number as printed, with its unit. */
  readonly text: ReactNode;
  /** The interval in words. */
  readonly description?: string;
  /** Its ends in numbers below the bar, for eyes and fingers; those who hear the page have the words. */
  readonly ends?: string | undefined;
}

export function IntervalBar({
  value,
  low,
  high,
  from = 0,
  to = 1,
  text,
  description,
  ends,
}: IntervalBarProps) {
  const position = (share: number) =>
    `${(100 * (Math.min(to, Math.max(from, share)) - from)) / (to - from)}%`;
  const start = position(low ?? value);
  return (
    <span className={styles["cell"]} title={description}>
      <span>{text}</span>
      {description && <span className="visually-hidden">, {description}</span>}
      <span className={styles["line"]} aria-hidden="true">
        <span className={styles["track"]}>
          {from < 0 && to > 0 && <span className={styles["zero"]} style={{ left: position(0) }} />}
          {value >= from && (
            <>
              <span
                className={styles["range"]}
                style={{ left: start, right: `calc(100% - ${position(high ?? value)})` }}
              />
              <span
                className={value > to ? styles["beyond"] : styles["point"]}
                style={{ left: position(value) }}
              />
            </>
          )}
        </span>
      </span>
      {ends && (
        <span className={styles["ends"]} aria-hidden="true">
          {ends}
        </span>
      )}
    </span>
  );
}
