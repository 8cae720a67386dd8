/** A page without content says what will be here and offers the one next step. */
import type { ReactNode } from "react";
import styles from "./state.module.css";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <section className={styles["state"]}>
      <h2>{title}</h2>
      {children && <div className={styles["text"]}>{children}</div>}
      {action && <div className={styles["actions"]}>{action}</div>}
    </section>
  );
}
