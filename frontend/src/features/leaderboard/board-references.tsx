/** Systems known by published numbers alone, below those that were measured. */
import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects/project";
import { referencesQuery } from "../../api/references/references";
import { classNames } from "../../lib/class-names";
import { countOf, formatPoints } from "../../lib/numbers";
import { type ReferenceRow, referenceRows } from "../../lib/references";
import styles from "./board-table.module.css";
import type { BoardView } from "./use-board";

interface BoardReferencesProps {
  readonly view: BoardView;
  readonly hasRange: boolean;
}

export function BoardReferences({ view, hasRange }: BoardReferencesProps) {
  const project = useProject();
  const { data } = useQuery(referencesQuery(project.slug));
  const keys = view.columns.map(({ key }) => key);
  const rows = referenceRows(data ?? [], "system", keys);
  if (rows.length === 0) return null;
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={JSON.stringify([row.name, row.about])} className={styles["reference"]}>
          <th scope="row" className={styles["pinned"]}>
            {row.name}
            <span className={styles["note"]}>{["published", row.about].filter(Boolean).join(" · ")}</span>
          </th>
          <td colSpan={1 + view.about.length} />
          {view.columns.map((column) => (
            <td key={column.key} className={classNames(column.kind === "human" && styles["human"])}>
              <Published row={row} column={column.key} />
            </td>
          ))}
          {hasRange && <td colSpan={2} />}
        </tr>
      ))}
    </tbody>
  );
}

function Published({ row, column }: { readonly row: ReferenceRow; readonly column: string }) {
  const found = row.scores[column];
  if (!found) return <span className={styles["none"]}>–</span>;
  return (
    <span title={`Published: ${found.source}`}>
      {formatPoints(found.value)}
      {found.n !== null && <span className={styles["note"]}>of {countOf(found.n, "answer")}</span>}
    </span>
  );
}
