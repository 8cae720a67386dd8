/** Entries one below the other between lines: each has a head, and whatever is to be said of it. */
import type { ReactNode } from "react";
import styles from "./entry-list.module.css";

interface Children {
  readonly children: ReactNode;
}

export function EntryList({ children }: Children) {
  return <ul className={styles["list"]}>{children}</ul>;
}

export function Entry({ children }: Children) {
  return <li className={styles["entry"]}>{children}</li>;
}

export function EntryHead({ children }: Children) {
  return <div className={styles["head"]}>{children}</div>;
}
