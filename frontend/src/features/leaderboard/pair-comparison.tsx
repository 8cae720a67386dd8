/** Two systems in a sentence. */
import type { Leaderboard, LeaderboardColumn, LeaderboardRow } from "../../api/contract";
import { formatCount, formatPoints } from "../../lib/numbers";
import styles from "./leaderboard-page.module.css";
import type { BoardView } from "./use-board";

interface PairComparisonProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
}

export function PairComparison({ board, view }: PairComparisonProps) {
  const [first, second] = view.pair.map((name) => board.rows.find(({ system }) => system === name));
  if (!first || !second) return null;
  // The way of judging one looks at is the one the table is sorted by.
  const main = board.columns.find(({ key }) => key === view.sorting.key) ?? view.human ?? view.columns[0];
  return (
    <div className={styles["pair"]} aria-live="polite">
      {main && <p>{pairWords(first, second, main)}</p>}
      <details className={styles["more"]}>
        <summary>By every way of judging</summary>
        <ul>
          {view.columns.map((column) => (
            <li key={column.key}>{pairWords(first, second, column)}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** Says only what the single intervals allow: apart when they do not meet, else open. */
export function pairWords(first: LeaderboardRow, second: LeaderboardRow, column: LeaderboardColumn): string {
  const left = first.scores[column.key];
  const right = second.scores[column.key];
  if (!left || !right) return `${column.name}: not both scored.`;
  const [ahead, behind] = left.value >= right.value ? [first, second] : [second, first];
  const points = formatPoints(Math.abs(left.value - right.value));
  if (Number(points) === 0) return `${column.name}: ${first.label} and ${second.label} are level.`;
  const base = `${column.name}: ${ahead.label} is ${points} points above ${behind.label}`;
  return `${base}${overlapWords(ahead.scores[column.key], behind.scores[column.key])}.`;
}

type Score = LeaderboardRow["scores"][string] | undefined;

function overlapWords(ahead: Score, behind: Score): string {
  if (!ahead || !behind || ahead.low === null || behind.high === null) return "";
  if (ahead.low > behind.high) return "; their intervals do not meet";
  return `; their intervals overlap with ${formatCount(ahead.n)} questions`;
}
