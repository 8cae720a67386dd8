/** One number that matters, with what it means. */
import type { ReactNode } from "react";
import styles from "./stat.module.css";

/** Several side by side. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return <div className={styles["stats"]}>{children}</div>;
}

interface StatProps {
  readonly name: ReactNode;
  readonly value: ReactNode;
  readonly children?: ReactNode;
}

export function Stat({ name, value, children }: StatProps) {
  return (
    <div className={styles["stat"]}>
      <p className={styles["name"]}>{name}</p>
      <p className={styles["value"]}>{value}</p>
      {children && <div className={styles["words"]}>{children}</div>}
    </div>
  );
}
