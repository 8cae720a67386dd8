/** One number that matters, with what it means. */
import type { ReactNode } from "react";
import styles from "./stat.module.css";

interface StatProps {
  readonly name: string;
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
