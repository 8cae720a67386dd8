/** Systems by ways of judging; the head sorts, the foot says how each way ranks beside people. */
import type { Leaderboard, LeaderboardColumn } from "../../api/schema";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import { sortKeyOf } from "./about";
import { BoardReferences } from "./board-references";
import { BoardRow } from "./board-row";
import styles from "./board-table.module.css";
import { isPeoples, scale } from "./standings";
import type { BoardView } from "./use-board";
import { matchedWords, noRankWords, tauWords } from "./words";

interface BoardTableProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
}

const CAPTION = "Systems by ways of judging";

export function BoardTable({ board, view }: BoardTableProps) {
  const bounds = scale(board.rows, view.columns);
  const hasRange = !board.all_decided;
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles["scroll"]} role="region" aria-label={CAPTION} tabIndex={0}>
      <table className={styles["table"]}>
        <caption className="visually-hidden">{CAPTION}</caption>
        <thead>
          <tr>
            <HeadCell view={view} sortKey="system" name="System" pinned />
            <th scope="col" className={styles["end"]}>
              n
            </th>
            {view.about.map((column) => (
              <HeadCell key={column.key} view={view} sortKey={sortKeyOf(column)} name={column.name} />
            ))}
            {view.columns.map((column) => (
              <HeadCell
                key={column.key}
                view={view}
                sortKey={column.key}
                name={column.name}
                column={column}
                isPeoples={isPeoples(column, board.rows)}
                note={matchedWords(column, board)}
              />
            ))}
            {hasRange && (
              <th scope="col" className={styles["end"]}>
                Decided <span className={styles["note"]}>and range</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row) => (
            <BoardRow
              key={row.system}
              row={row}
              view={view}
              bounds={bounds}
              noRank={noRankWords(row, board)}
              hasRange={hasRange}
            />
          ))}
        </tbody>
        <BoardReferences view={view} hasRange={hasRange} />
        <tfoot>
          <TauRow view={view} hasRange={hasRange} />
        </tfoot>
      </table>
    </div>
  );
}

/** One word for all where no column has a τ, else each column's own. */
function TauRow({ view, hasRange }: { readonly view: BoardView; readonly hasRange: boolean }) {
  const judges = view.columns.filter(({ key }) => key !== view.human?.key);
  const words = new Set(judges.map(tauWords));
  const isAlike = words.size === 1 && judges.every((column) => column.kendall_tau_b.value === null);
  return (
    <tr>
      <th scope="row" className={styles["pinned"]}>
        Kendall’s τ with people
      </th>
      <td colSpan={1 + view.about.length} />
      {isAlike ? (
        <td colSpan={view.columns.length}>{[...words][0]}</td>
      ) : (
        view.columns.map((column) => (
          <td key={column.key} className={styles["tau"]}>
            {column.key === view.human?.key ? "" : tauWords(column)}
            {hasTau(column, view) && <SameOrder column={column} />}
          </td>
        ))
      )}
      {hasRange && <td />}
    </tr>
  );
}

function hasTau(column: LeaderboardColumn, view: BoardView): boolean {
  return column.kendall_tau_b.value !== null && column.key !== view.human?.key;
}

/** τ has no interval that holds; of the pairs that people tell apart the share in the same order has. */
function SameOrder({ column: { pairs, same, same_order: order } }: { readonly column: LeaderboardColumn }) {
  if (pairs === null || same === null || !order) return null;
  if (pairs === 0) {
    return (
      <span
        className={styles["note"]}
        title="People’s scores and these are tested as one family of pairs here, and tell no pair apart; rank ranges test people’s alone."
      >
        no sure pair
      </span>
    );
  }
  const ends = [order.low, order.high].map((end) => formatPoints(end, 0)).join("–");
  return (
    <span className={styles["note"]} title="Pairs of systems that people’s scores tell apart; 95 % interval">
      {formatCount(same)} of {countOf(pairs, "sure pair")} in the same order ({ends} %)
    </span>
  );
}

interface HeadCellProps {
  readonly view: BoardView;
  readonly sortKey: string;
  readonly name: string;
  readonly column?: LeaderboardColumn;
  readonly isPeoples?: boolean;
  readonly note?: string;
  readonly pinned?: boolean;
}

function HeadCell({ view, sortKey, name, column, isPeoples = false, note, pinned }: HeadCellProps) {
  const isSorted = view.sorting.key === sortKey;
  const arrow = view.sorting.direction === "descending" ? "↓" : "↑";
  return (
    <th
      scope="col"
      className={classNames(pinned && styles["pinned"], isPeoples && styles["human"])}
      aria-sort={isSorted ? view.sorting.direction : "none"}
      title={column?.signature}
    >
      <button type="button" className={styles["sort"]} onClick={() => view.sortBy(sortKey)}>
        <span>{name}</span>
        <span aria-hidden="true" className={styles["arrow"]}>
          {isSorted ? arrow : ""}
        </span>
      </button>
      {column?.gold === "amended" && column.kind === "judge" && (
        <span className={styles["note"]}>against amended gold</span>
      )}
      {note && <span className={styles["note"]}>{note}</span>}
      {column?.unit === "f1" && <span className={styles["note"]}>mean F1</span>}
    </th>
  );
}
