/** Published numbers in a table: told apart from what was measured here by word, dash and slant. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../api/client";
import { FIGURES } from "../api/figures";
import { useProject } from "../api/project";
import { LOOKS } from "../components/figure";
import type { Column } from "../components/table";
import { countOf, formatPoints } from "../lib/numbers";
import { inForce, type Published, publishedNote, type ReferenceRow } from "./references";
import styles from "./reference-scores.module.css";

/** The project's numbers of systems, or of judges, that were not taken out. */
export function usePublished(subject: Published["subject"], enabled = true): readonly Published[] {
  const { slug } = useProject();
  const { data } = useQuery({ ...read("/api/projects/{slug}/reference-scores", { slug }), enabled });
  return enabled ? inForce(data ?? [], subject) : [];
}

interface PublishedRowsProps<Row, Reference> {
  /** Their numbers by the keys of the columns. */
  readonly rows: readonly Reference[];
  /** The table's, the name first. */
  readonly columns: readonly Column<Row>[];
  /** What stands in a cell that is no number of its own. */
  readonly cellOf?: (row: Reference, key: string) => ReactNode;
  /** What the row is called, where that is not its name. */
  readonly nameOf?: (row: Reference) => Partial<Pick<ReferenceRow, "name" | "prompt">>;
}

/** Rows for the foot of a table, below what was measured here. */
export function PublishedRows<Row, Reference extends ReferenceRow<Shown>>({
  rows,
  columns: [, ...columns],
  cellOf,
  nameOf,
}: PublishedRowsProps<Row, Reference>) {
  return rows.map((row, place) => {
    const named = { ...row, ...nameOf?.(row) };
    return (
      <tr key={place} className={styles["row"]}>
        <th scope="row">
          <PublishedName name={named.name} note={publishedNote(named)} />
        </th>
        {columns.map(({ key, align }) => (
          <td key={key} className={align === "end" ? undefined : styles["words"]}>
            {cellOf?.(row, key) ?? <PublishedValue score={row.scores[key]} format={formatOf(key)} />}
          </td>
        ))}
      </tr>
    );
  });
}

function formatOf(key: string): (value: number) => string {
  const figure = Object.entries(FIGURES).find(([name]) => name === key)?.[1];
  return figure ? LOOKS[figure.look].format : formatPoints;
}

interface PublishedNameProps {
  readonly name: string;
  /** See `publishedNote`. */
  readonly note: string;
}

/** What a row or column of published numbers is called. */
export function PublishedName({ name, note }: PublishedNameProps) {
  return (
    <span className={styles["value"]}>
      {name}
      <small className={styles["note"]}>{note}</small>
    </span>
  );
}

type Shown = Pick<Published, "value" | "n" | "source">;

interface PublishedValueProps {
  readonly score: Shown | undefined;
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
