/** Systems by ways of judging; the head sorts, the foot says how each way ranks beside people. */
import type { ReactNode } from "react";
import { FIGURES } from "../../api/figures";
import type { Leaderboard, LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import { endsWords, FigureCell, LOOKS, whyWords } from "../../components/figure";
import { type Column, Table } from "../../components/table";
import { explained } from "../../components/term";
import { type Explanation, Word } from "../../components/tip";
import { PublishedRows, usePublished } from "../../domain/published";
import {
  byMeasure,
  type Published,
  publishedLine,
  type ReferenceRow,
  referenceRows,
  systemNames,
} from "../../domain/references";
import type { CsvColumn } from "../../lib/csv";
import { countOf, formatCount, formatPoints, statistic } from "../../lib/numbers";
import { aboutSorting, descriptionWords, sortKeyOf } from "./about";
import styles from "./board-table.module.css";
import { DECIDED, gainIn, isOfFew, isPeoples, rankChange, rankedCells, scale } from "./standings";
import type { BoardView } from "./use-board";
import { decidedWords, matchedWords, noRankWords, RANGE, TAU_SCALE, tauWords } from "./words";

interface BoardTableProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
}

export function BoardTable({ board, view }: BoardTableProps) {
  const columns = columnsOf(board, view);
  const published = useBoardReferences(view.dataset, byMeasure(view.columns.map(({ key }) => key)));
  return (
    <Table
      caption="Scores of systems for each way of judging"
      rows={view.rows}
      rowKey={({ system }) => system}
      columns={columns}
      sort={{ key: view.sorting.key, descending: view.sorting.direction === "descending" }}
      onSort={view.sortBy}
      isSelected={({ system }) => view.pair.includes(system)}
      {...(view.splitting && { groupOf: groupIn(view.splitting) })}
      footer={
        <>
          <PublishedRows rows={published} columns={columns} />
          <TauRow board={board} view={view} />
        </>
      }
      file={{
        name: "leaderboard",
        columns: fileColumns(view.columns),
        signature: board.signature,
        judges: board.columns,
        published: published.map((row) => publishedLine(row, systemNames(row))),
      }}
    />
  );
}

/** The systems that come last have a heading of their own. */
function groupIn(splitting: LeaderboardColumn): (row: SystemRow) => string {
  return (row) => (isOfFew(row, splitting) ? "Too few judged so far" : "");
}

/** The published numbers of systems that have a cell here, of the data set chosen or of all. */
export function useBoardReferences(
  chosen: string,
  cellOf: (reference: Published) => string | null,
): readonly ReferenceRow[] {
  const own = usePublished("system").filter(({ dataset }) => !chosen || dataset === "" || dataset === chosen);
  return referenceRows(own, cellOf);
}

export const SYSTEM: CsvColumn<Pick<SystemRow, "system" | "label">> = {
  key: "system",
  value: ({ label }) => label,
  csv: ({ system, label }) => ({ system, label }),
};

const COUNT: CsvColumn<SystemRow> = { key: "n", csv: ({ n }) => ({ n }) };

const scoreOf = ({ key }: LeaderboardColumn): CsvColumn<SystemRow> => ({
  key,
  value: ({ scores }) => scores[key]?.value ?? null,
  csv: ({ scores }) => rankedCells(key, scores[key]),
});

/** Empty while they are computed. */
const rankBounds = ({ key }: LeaderboardColumn): CsvColumn<SystemRow> => ({
  key: `${key} ranks`,
  csv: ({ scores }) => ({
    [`${key} best rank`]: scores[key]?.rank.low,
    [`${key} worst rank`]: scores[key]?.rank.high,
  }),
});

/** range: what people's score may yet become. */
const DECIDED_SHARE: CsvColumn<SystemRow> = {
  key: "decided",
  csv: ({ decided_share, range }) => ({
    "decided share": decided_share,
    "range low": range?.[0],
    "range high": range?.[1],
  }),
};

export function fileColumns(columns: readonly LeaderboardColumn[]): readonly CsvColumn<SystemRow>[] {
  return [SYSTEM, COUNT, ...columns.map(scoreOf), ...columns.map(rankBounds), DECIDED_SHARE];
}

function columnsOf(board: Leaderboard, view: BoardView): readonly Column<SystemRow>[] {
  const bounds = scale(board.rows, view.columns);
  const decided: Column<SystemRow> = {
    ...DECIDED_SHARE,
    header: "Decided",
    note: "and range",
    explains: { about: RANGE },
    align: "end",
    cell: ({ decided_share, range }) => (
      <>
        {decidedWords(decided_share)}
        <span className={styles["note"]}>
          {range && decided_share > 0 ? range.map((end) => formatPoints(end)).join("–") : "–"}
        </span>
      </>
    ),
  };
  return [
    {
      ...SYSTEM,
      header: "System",
      explains: explained("system"),
      cell: (row) => <System row={row} view={view} noRank={noRankWords(row, board)} />,
    },
    ...rankColumn(board, view),
    // Where all answered the same questions, the line above the picture says how many.
    ...(isAlike(board) ? [] : [{ ...COUNT, header: "n", align: "end", cell: nOf } as const]),
    ...view.about.map((about): Column<SystemRow> => {
      const value = aboutSorting(sortKeyOf(about));
      return {
        key: sortKeyOf(about),
        header: about.name,
        cell: ({ description }) => about.cell(description[about.key]) || "–",
        ...(value && { value }),
      };
    }),
    ...view.columns.map((column): Column<SystemRow> => ({
      ...scoreOf(column),
      header: column.name,
      headerTitle: column.signature,
      explains: WAYS[column.key],
      note: headNote(column, board),
      isShaded: isPeoples(column, board.rows),
      cell: (row) => <ScoreCell row={row} column={column} view={view} bounds={bounds} />,
    })),
    ...(board.all_decided ? [] : [decided]),
  ];
}

const nOf = ({ n }: SystemRow) => formatCount(n);

function isAlike({ rows, n_questions }: Leaderboard): boolean {
  return rows.every(({ n }) => n === n_questions);
}

/** Ranks by the way of judging one looks at; no column where it ranks nobody. */
function rankColumn({ rows }: Leaderboard, { main, isDetailed }: BoardView): readonly Column<SystemRow>[] {
  if (isDetailed || !main || rows.every(({ scores }) => scores[main.key]?.rank.value == null)) return [];
  return [
    {
      key: "rank",
      header: "Rank",
      explains: explained("rank-range"),
      note: main.name,
      align: "end",
      cell: ({ scores }) => <RankCell rank={scores[main.key]?.rank} />,
    },
  ];
}

function RankCell({ rank }: { readonly rank: Score["rank"] | undefined }) {
  if (rank?.value == null) return "–";
  return (
    <>
      {formatCount(rank.value)}
      {rank.low !== null && rank.low !== rank.high && (
        <span className={styles["note"]}>
          <span className="visually-hidden">, </span>
          {`${rank.low}–${rank.high}`}
        </span>
      )}
    </>
  );
}

/** Ways of judging that are terms of art. */
const WAYS: Readonly<Record<string, Explanation>> = {
  corrected: explained("corrected-score"),
  human: explained("people-otherwise-exact-match"),
  [DECIDED]: explained("people-decided-answers"),
  exact_match: explained("exact-match"),
  token_f1: explained("token-f1"),
  containment: explained("containment"),
  learned: explained("learned-judge"),
};

function headNote(column: LeaderboardColumn, board: Leaderboard): string {
  const isAgainstAmended = column.gold === "amended" && column.kind === "judge";
  const words = [
    isAgainstAmended && "against amended gold answers",
    matchedWords(column, board),
    column.unit === "f1" && "mean F1",
    column.key === DECIDED && board.programs_share > 0 && "judges settled the others",
    column.key === "learned" && "trained on EVOUNA-NQ",
  ];
  return words.filter(Boolean).join(", ");
}

interface SystemProps {
  readonly row: SystemRow;
  readonly view: BoardView;
  /** Why the system has no rank; empty where it has one. */
  readonly noRank: string;
}

function System({ row, view, noRank }: SystemProps) {
  const description = view.isDetailed ? descriptionWords(row.description, view.about) : "";
  return (
    <label className={styles["system"]}>
      <input
        type="checkbox"
        checked={view.pair.includes(row.system)}
        onChange={() => view.togglePair(row.system)}
        aria-label={`Compare ${row.label}`}
      />
      <span>
        {row.label}
        {description && <span className={styles["note"]}>{description}</span>}
        {noRank && <span className={styles["note"]}>{noRank}</span>}
      </span>
    </label>
  );
}

interface ScoreCellProps {
  readonly row: SystemRow;
  readonly column: LeaderboardColumn;
  readonly view: BoardView;
  readonly bounds: readonly [number, number];
}

/** A score and its interval, or how far it is from the column compared with; in detail with rank and bar. */
function ScoreCell(props: ScoreCellProps) {
  const { row, column, view } = props;
  const score = row.scores[column.key];
  if (!score) return "–";
  const isCompared = view.compared !== null && view.compared.key !== column.key;
  const rank = view.isDetailed && <Rank row={row} column={column} score={score} view={view} />;
  return (
    <span className={styles["score"]} data-detailed={view.isDetailed || undefined} title={countWords(score)}>
      {isCompared ? (
        // The interval is the difference's own; a bar on the scale of scores would say another number's.
        <span className={styles["value"]}>
          <FigureCell
            figure={view.isRelative ? score.relative : gainIn(row, view.compared?.key ?? "", column.key)}
            look={LOOKS.difference}
            interval="below"
          />
          {rank}
        </span>
      ) : (
        <OwnScore {...props} score={score} rank={rank} />
      )}
      {(view.isDetailed || score.n !== row.n) && (
        <span className={styles["below"]}>
          {view.isDetailed && !isCompared && <BoundsInNumbers score={score} />}
          {score.n !== row.n && <span>{statistic("n", formatCount(score.n))}</span>}
          {view.isDetailed && <RankRange rank={score.rank} />}
        </span>
      )}
    </span>
  );
}

interface OwnScoreProps extends ScoreCellProps {
  readonly score: Score;
  readonly rank: ReactNode;
}

function OwnScore({ view, bounds: [from, to], score, rank }: OwnScoreProps) {
  if (!view.isDetailed) return <FigureCell figure={score} look={LOOKS.share} interval="below" />;
  return (
    <FigureCell
      figure={score}
      look={{ ...LOOKS.share, from, to }}
      interval="bar-alone"
      text={(text) => (
        <span className={styles["value"]}>
          {text}
          {rank}
        </span>
      )}
    />
  );
}

/** What the bar shows, to be read and copied; screen readers hear it with the score. */
function BoundsInNumbers({ score }: { readonly score: Score }) {
  const words = endsWords(score);
  return (
    words && (
      <span className={styles["bounds"]} aria-hidden="true">
        {words}
      </span>
    )
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
      <span className="visually-hidden">, 95% interval for the rank </span>
      <span aria-hidden="true">rank </span>
      {rank.low}–{rank.high}
    </span>
  );
}

/** One word for all where no column has a τ, else each column's own. */
function TauRow({ board, view }: BoardTableProps) {
  const isOwn = ({ key }: LeaderboardColumn) => key === view.human?.key;
  const judges = view.columns.filter((column) => !isOwn(column));
  const words = new Set(judges.map(tauWords));
  const isAlikeTau = words.size === 1 && judges.every((column) => column.kendall_tau_b.value === null);
  const between = rankColumn(board, view).length + (isAlike(board) ? 0 : 1) + view.about.length;
  return (
    <tr className={styles["taus"]}>
      <th scope="row">
        Ranking agreement with people (<Word {...FIGURES.kendall_tau_b}>Kendall’s τ</Word>)
        {!isAlikeTau && <span className={styles["note"]}>{TAU_SCALE}</span>}
      </th>
      {between > 0 && <td colSpan={between} />}
      {isAlikeTau ? (
        <td colSpan={view.columns.length}>{[...words][0]}</td>
      ) : (
        view.columns.map((column) => (
          <td key={column.key} className={styles["tau"]}>
            {!isOwn(column) && <Tau column={column} />}
            {!isOwn(column) && column.kendall_tau_b.value !== null && <SameOrder column={column} />}
          </td>
        ))
      )}
      {!board.all_decided && <td />}
    </tr>
  );
}

/** Why there is none is a sentence: it would stretch its narrow column over many lines. */
function Tau({ column }: { readonly column: LeaderboardColumn }) {
  const why = whyWords(column.kendall_tau_b);
  return why === undefined ? tauWords(column) : <Word about={why}>–</Word>;
}

/** τ has no interval that holds; of the pairs that people tell apart the share in the same order has. */
function SameOrder({ column: { pairs, same, same_order: order } }: { readonly column: LeaderboardColumn }) {
  if (pairs === null || same === null || !order) return null;
  if (pairs === 0) {
    return (
      <span
        className={styles["note"]}
        title="People’s scores show no significant difference between any two systems."
      >
        no significant pairs
      </span>
    );
  }
  const ends = [order.low, order.high].map((end) => formatPoints(end, 0)).join("–");
  return (
    <span
      className={styles["note"]}
      title="A pair is significant if people’s scores for the two systems differ significantly. The 95% interval is in parentheses."
    >
      {formatCount(same)} of {countOf(pairs, "significant pair")} in the same order ({ends}%)
    </span>
  );
}
