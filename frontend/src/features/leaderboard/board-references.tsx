/** Systems known by published numbers alone, below those that were measured. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { PublishedValue } from "../../domain/published";
import { byMeasure, inForce, publishedNote, type ReferenceRow, referenceRows } from "../../domain/references";
import { classNames } from "../../lib/class-names";
import styles from "./board-table.module.css";
import { isPeoples } from "./standings";
import type { BoardView } from "./use-board";

interface BoardReferencesProps {
  readonly view: BoardView;
  readonly hasRange: boolean;
}

/** The rows of numbers that one of the columns shown is about. */
export function useBoardReferences({
  columns,
  dataset: chosen,
}: Pick<BoardView, "columns" | "dataset">): readonly ReferenceRow[] {
  const project = useProject();
  const { data } = useQuery(read("/api/projects/{slug}/reference-scores", { slug: project.slug }));
  const own = inForce(data ?? [], "system").filter(
    ({ dataset }) => !chosen || dataset === "" || dataset === chosen,
  );
  return referenceRows(own, byMeasure(columns.map(({ key }) => key)));
}

export function BoardReferences({ view, hasRange }: BoardReferencesProps) {
  const rows = useBoardReferences(view);
  if (rows.length === 0) return null;
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={row.key} className={styles["reference"]}>
          <ReferenceName row={row} />
          <td colSpan={1 + view.about.length} />
          {view.columns.map((column) => (
            <td key={column.key} className={classNames(isPeoples(column, view.rows) && styles["human"])}>
              <PublishedValue score={row.scores[column.key]} />
            </td>
          ))}
          {hasRange && <td />}
        </tr>
      ))}
    </tbody>
  );
}

/** The head of a row of published numbers. */
export function ReferenceName({ row }: { readonly row: ReferenceRow }) {
  return (
    <th scope="row" className={styles["pinned"]}>
      {row.name}
      <span className={styles["note"]}>{publishedNote(row)}</span>
    </th>
  );
}
