/** What stands aside until somebody asks for it. */
import type { ReactNode } from "react";
import styles from "./more.module.css";

interface MoreProps {
  readonly summary: string;
  /** Opened from outside, as for a complaint that must be seen. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

export function More({ summary, open, children }: MoreProps) {
  return (
    <details className={styles["more"]} open={open || undefined}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
