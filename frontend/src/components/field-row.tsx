/** Fields side by side; on a narrow screen one below the other. */
import type { ReactNode } from "react";
import { classNames } from "../lib/class-names";
import styles from "./field-row.module.css";

interface FieldRowProps {
  readonly columns?: 2 | 3;
  readonly children: ReactNode;
}

export function FieldRow({ columns = 2, children }: FieldRowProps) {
  return <div className={classNames(styles["row"], columns === 3 && styles["three"])}>{children}</div>;
}
