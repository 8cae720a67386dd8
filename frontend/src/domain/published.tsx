/** Published numbers in a table: told apart from what was measured here by word, dash and slant. */
import type { ReactNode } from "react";
import { countOf, formatPoints } from "../lib/numbers";
import styles from "./reference-scores.module.css";

interface PublishedRowProps {
  readonly name: string;
  /** See `publishedNote`. */
  readonly note: string;
  readonly children: ReactNode;
}

/** A row for the foot of a table; `children` are the cells behind its name. */
export function PublishedRow({ name, note, children }: PublishedRowProps) {
  return (
    <tr className={styles["row"]}>
      <th scope="row">
        <PublishedName name={name} note={note} />
      </th>
      {children}
    </tr>
  );
}

/** What a row or column of published numbers is called. */
export function PublishedName({ name, note }: Omit<PublishedRowProps, "children">) {
  return (
    <span className={styles["value"]}>
      {name}
      <small className={styles["note"]}>{note}</small>
    </span>
  );
}

/** A cell that holds no number. */
export function PublishedWords({ children }: { readonly children: ReactNode }) {
  return <td className={styles["words"]}>{children}</td>;
}

interface PublishedValueProps {
  readonly score: { readonly value: number; readonly n: number | null; readonly source: string } | undefined;
  readonly format?: (value: number) => string;
}

export function PublishedValue({ score, format = formatPoints }: PublishedValueProps) {
  if (!score) return "–";
  return (
    <span className={styles["value"]} title={`Published: ${score.source}`}>
      {format(score.value)}
      {score.n !== null && <small className={styles["note"]}>of {countOf(score.n, "answer")}</small>}
    </span>
  );
}
