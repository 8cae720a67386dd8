/** A figure for every pair of systems, as half a square; the deeper the color, the higher the share. */
import type { SystemsBoard } from "../../api/contract";
import { formatPoints } from "../../lib/numbers";
import styles from "./pair-grid.module.css";

interface PairGridProps {
  readonly board: SystemsBoard;
  readonly measure: "agreement" | "oracle";
  readonly caption: string;
}

export function PairGrid({ board, measure, caption }: PairGridProps) {
  const found = new Map(board.pairs.map((pair) => [`${pair.first} ${pair.second}`, pair[measure]]));
  const valueOf = (one: string, other: string) =>
    found.get(`${one} ${other}`) ?? found.get(`${other} ${one}`) ?? null;
  const rows = board.systems.slice(1);
  const columns = board.systems.slice(0, -1);
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles["scroll"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles["grid"]}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td />
            {columns.map(({ system, label }) => (
              <th key={system} scope="col">
                <span>{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ system, label }, row) => (
            <tr key={system}>
              <th scope="row">{label}</th>
              {columns.map((column, place) => (
                <Cell key={column.system} value={place > row ? undefined : valueOf(system, column.system)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Undefined beyond the diagonal, null where two systems share no question. */
function Cell({ value }: { readonly value: number | null | undefined }) {
  if (value === undefined) return <td />;
  if (value === null) return <td className={styles["none"]}>–</td>;
  return (
    <td className={styles["cell"]} data-depth={Math.min(4, Math.floor(value * 5))}>
      {formatPoints(value)}
    </td>
  );
}
