/** One system: a score, its interval, its rank and the places it moved. */
import type { ReactNode } from "react";
import type { LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import { BoundedFigure } from "../../components/bounded-number";
import { plainFigure } from "../../components/figure";
import { IntervalBar } from "../../components/interval-bar";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import { descriptionWords } from "./about";
import styles from "./board-table.module.css";
import { gainIn, isPeoples, rankChange } from "./standings";
import type { BoardView } from "./use-board";
import { decidedWords, intervalWords } from "./words";

interface BoardRowProps {
  readonly row: SystemRow;
  readonly view: BoardView;
  readonly bounds: readonly [number, number];
  readonly hasRange: boolean;
  /** Why the system has no rank; empty where it has one. */
  readonly noRank: string;
}

export function BoardRow({ row, view, bounds, hasRange, noRank }: BoardRowProps) {
  const isChosen = view.pair.includes(row.system);
  const description = descriptionWords(row.description, view.about);
  return (
    <tr className={classNames(isChosen && styles["chosen"])}>
      <th scope="row" className={styles["pinned"]}>
        <label className={styles["system"]}>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => view.togglePair(row.system)}
            aria-label={`Compare ${row.label}`}
          />
          <span>
            {row.label}
            {description && <span className={styles["note"]}>{description}</span>}
            {noRank && <span className={styles["note"]}>{noRank}</span>}
          </span>
        </label>
      </th>
      <td className={styles["end"]}>{formatCount(row.n)}</td>
      {view.about.map(({ key, cell }) => (
        <td key={key}>{cell(row.description[key]) || "–"}</td>
      ))}
      {view.columns.map((column) => (
        <td key={column.key} className={classNames(isPeoples(column, view.rows) && styles["human"])}>
          <ScoreCell row={row} column={column} view={view} bounds={bounds} />
        </td>
      ))}
      {hasRange && (
        <td className={styles["end"]}>
          {decidedWords(row.decided_share)}
          <span className={styles["note"]}>
            {row.range ? row.range.map((end) => formatPoints(end)).join("–") : "–"}
          </span>
        </td>
      )}
    </tr>
  );
}

interface ScoreCellProps {
  readonly row: SystemRow;
  readonly column: LeaderboardColumn;
  readonly view: BoardView;
  readonly bounds: readonly [number, number];
}

function ScoreCell({ row, column, view, bounds }: ScoreCellProps) {
  const score = row.scores[column.key];
  if (!score) return <span className={styles["none"]}>–</span>;
  const rank = <Rank row={row} column={column} score={score} view={view} />;
  return (
    <span className={styles["score"]} title={countWords(score)}>
      {view.compared !== null && view.compared.key !== column.key ? (
        <Difference row={row} column={column} from={view.compared.key} view={view} rank={rank} />
      ) : (
        <IntervalBar
          value={score.value}
          low={score.low}
          high={score.high}
          from={bounds[0]}
          to={bounds[1]}
          text={
            <span className={styles["value"]}>
              {formatPoints(score.value)}
              {rank}
            </span>
          }
          description={intervalWords(score.low, score.high) ?? ""}
        />
      )}
      <span className={styles["below"]}>
        {score.n !== row.n && <span>n {formatCount(score.n)}</span>}
        <RankRange rank={score.rank} />
      </span>
    </span>
  );
}

interface DifferenceProps extends Omit<ScoreCellProps, "bounds"> {
  readonly from: string;
  readonly rank: ReactNode;
}

/** The interval is the difference's own; a bar on the scale of scores would say another number's. */
function Difference({ row, column, from, view, rank }: DifferenceProps) {
  return (
    <span className={styles["value"]}>
      <BoundedFigure
        figure={
          view.isRelative
            ? (row.scores[column.key]?.relative ?? plainFigure(null))
            : gainIn(row, from, column.key)
        }
        format={formatDifference}
      />
      {rank}
    </span>
  );
}

function countWords(score: Score): string {
  if (score.correct === null) return countOf(score.n, "question");
  return `${formatCount(score.correct)} of ${formatCount(score.n)}`;
}

interface RankProps extends Omit<ScoreCellProps, "bounds"> {
  readonly score: Score;
}

function Rank({ row, column, score, view }: RankProps) {
  if (score.rank.value === null) return null;
  const isBaseline = view.baseline === null || view.baseline.key === column.key;
  const moved = isBaseline ? null : rankChange(row, view.baseline?.key ?? "", column.key);
  return (
    <span className={styles["rank"]}>
      <span className="visually-hidden">, rank </span>
      {formatCount(score.rank.value)}
      {moved !== null && moved !== 0 && (
        <span className={styles["moved"]} data-up={moved > 0}>
          <span aria-hidden="true">{moved > 0 ? "▲" : "▼"}</span>
          <span className="visually-hidden">{moved > 0 ? ", up " : ", down "}</span>
          {Math.abs(moved)}
        </span>
      )}
    </span>
  );
}

/** Between which ranks the system lies; nothing where that is one rank. */
function RankRange({ rank }: { readonly rank: Score["rank"] }) {
  if (rank.value === null || rank.low === null || rank.low === rank.high) return null;
  return (
    <span className={styles["range"]}>
      <span className="visually-hidden">, 95 % interval of the rank </span>
      {rank.low}–{rank.high}
    </span>
  );
}
