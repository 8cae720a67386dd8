/** The head of a page: its name, the answer in one line, and what can be done. */
import type { ReactNode } from "react";
import styles from "./page-header.module.css";

interface PageHeaderProps {
  readonly title: string;
  /** The first thing to see: the page's answer in words. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <header className={styles["header"]}>
      <div className={styles["words"]}>
        <h1>{title}</h1>
        {lead && <div className={styles["lead"]}>{lead}</div>}
      </div>
      {actions && <div className={styles["actions"]}>{actions}</div>}
    </header>
  );
}
