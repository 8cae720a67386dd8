/** How far something is, with the count in words. */
import type { ReactNode } from "react";
import { t } from "../lib/i18n/t";
import { formatCount } from "../lib/numbers";
import styles from "./progress-bar.module.css";

interface ProgressBarProps {
  readonly label: string;
  readonly done: number;
  /** Null while the end is not known. */
  readonly total: number | null;
  /** What is counted: "rows checked"; without it, nothing is counted towards an end that is not known. */
  readonly unit?: string;
  readonly note?: ReactNode;
}

export function ProgressBar({ label, done, total, unit, note }: ProgressBarProps) {
  const counted =
    total === null
      ? formatCount(done)
      : t("{done} of {total}", { done: formatCount(done), total: formatCount(total) });
  return (
    <div className={styles["progress"]}>
      <progress
        className={styles["bar"]}
        aria-label={label}
        value={total === null ? undefined : done}
        max={total || 1}
      />
      <p className={styles["words"]}>
        {(total !== null || unit) && (
          <span className="number">
            {counted} {unit}
          </span>
        )}
        {note && <span className="ink-soft">{note}</span>}
      </p>
    </div>
  );
}
