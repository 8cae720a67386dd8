/** Lists of things that are no table, and what is folded away below them. */
import { type ReactNode, useState } from "react";
import styles from "./list.module.css";

interface Children {
  readonly children: ReactNode;
}

export function EntryList({ children }: Children) {
  return <ul className="ruled">{children}</ul>;
}

export function Entry({ children }: Children) {
  return <li className={styles["entry"]}>{children}</li>;
}

export function EntryHead({ children }: Children) {
  return <div className="row-centered">{children}</div>;
}

interface MoreProps {
  readonly summary: string;
  /** Opened from outside, as for a complaint that must be seen. */
  readonly open?: boolean;
  /** What it holds fetches, and is there only while it is open. */
  readonly isLate?: boolean;
  readonly children: ReactNode;
}

export function More({ summary, open, isLate = false, children }: MoreProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles["more"]}
      open={open || undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {(isOpen || !isLate) && children}
    </details>
  );
}
