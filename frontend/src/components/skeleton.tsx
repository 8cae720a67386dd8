/** Holds the place of what is loading, so that the layout stays still. */
import { t } from "../lib/i18n/t";
import styles from "./skeleton.module.css";

interface SkeletonProps {
  readonly lines?: number;
  /** Height of a line in rem. */
  readonly height?: number;
}

export function Skeleton({ lines = 3, height = 1.25 }: SkeletonProps) {
  return (
    <div className={styles["block"]} role="status" aria-label={t("Loading")}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={styles["line"]} style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}
