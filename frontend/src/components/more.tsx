/** What stands aside until somebody asks for it. */
import { type ReactNode, useState } from "react";
import styles from "./more.module.css";

interface MoreProps {
  readonly summary: string;
  /** Opened from outside, as for a complaint that must be seen. */
  readonly open?: boolean;
  /** What it holds fetches, and waits until it was opened once. */
  readonly isLate?: boolean;
  readonly children: ReactNode;
}

export function More({ summary, open, isLate = false, children }: MoreProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      className={styles["more"]}
      open={open || undefined}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary>{summary}</summary>
      {(wasOpened || !isLate) && children}
    </details>
  );
}
