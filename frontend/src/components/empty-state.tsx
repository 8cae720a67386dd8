/** A page without content says what will be here and offers the one next step. */
import type { ReactNode } from "react";
import styles from "./state.module.css";

interface EmptyStateProps {
  readonly title: string;
  /** 1 where it stands for the whole page. */
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, level = 2, children, action }: EmptyStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className={styles["state"]}>
      <Heading>{title}</Heading>
      {children && <div className={styles["text"]}>{children}</div>}
      {action && <div className={styles["actions"]}>{action}</div>}
    </section>
  );
}
