/** Each system's score before and after, drawn and in numbers; another way of judging can stand for after. */
import { useCallback, useMemo } from "react";
import type { Leaderboard, LeaderboardColumn } from "../../api/contract";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/field";
import { PlotFigure } from "../../components/plot-figure";
import { type Column, Table } from "../../components/table";
import { countOf, formatDifference, formatPercent, formatPoints } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { chartHeight, comparable, drawDumbbells, type Dumbbell, dumbbells } from "./dumbbell-chart";
import styles from "./leaderboard-page.module.css";
import { baselineColumn } from "./standings";

interface DumbbellSectionProps {
  readonly board: Leaderboard;
  readonly search: SearchState;
}

export function DumbbellSection({ board, search }: DumbbellSectionProps) {
  const from = baselineColumn(board.columns);
  const choices = from ? comparable(board.columns, from) : [];
  const to = choices.find(({ key }) => key === search.read("after")) ?? choices[0];
  if (!from || !to)
    return (
      <p className={styles["soft"]}>
        It takes exact match and people’s decisions, or another judge, to set scores beside each other.
      </p>
    );
  return (
    <>
      <div className={styles["controls"]}>
        <Select
          label="After"
          value={to.key}
          onChange={(event) =>
            search.write({ after: event.target.value === choices[0]?.key ? undefined : event.target.value })
          }
        >
          {choices.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Dumbbells board={board} from={from} to={to} />
    </>
  );
}

interface DumbbellsProps {
  readonly board: Leaderboard;
  readonly from: LeaderboardColumn;
  readonly to: LeaderboardColumn;
}

function Dumbbells({ board, from, to }: DumbbellsProps) {
  const pairs = useMemo(() => dumbbells(board.rows, from.key, to.key), [board.rows, from.key, to.key]);
  const draw = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawDumbbells(plot, width, { pairs, from: from.name, to: to.name }),
    [pairs, from.name, to.name],
  );
  if (pairs.length === 0) return <p className={styles["soft"]}>No system has a score by both.</p>;
  const title = `From ${from.name} to ${to.name}`;
  return (
    <div className={styles["beside"]}>
      <figure>
        <figcaption>
          <strong>{title}</strong>{" "}
          <span className={styles["soft"]}>
            in percent, {countOf(pairs.length, "system")}, {countOf(board.n_questions, "question")}. Open
            rings: {from.name}; full dots: {to.name}.
          </span>
        </figcaption>
        <PlotFigure label={title} draw={draw} height={chartHeight(pairs.length) / 16} />
      </figure>
      <div>
        <Table
          caption={title}
          rows={pairs}
          rowKey={({ system }) => system}
          columns={columnsOf(from.name, to.name)}
        />
        <CsvButton name="before-and-after" rows={pairs.map((pair) => csvRow(pair, from.key, to.key))} />
      </div>
    </div>
  );
}

function gainOf({ from, to }: Dumbbell): number {
  return to.value - from.value;
}

function shareOf(pair: Dumbbell): number | null {
  return pair.from.value === 0 ? null : gainOf(pair) / pair.from.value;
}

function columnsOf(before: string, after: string): Column<Dumbbell>[] {
  return [
    {
      key: "system",
      header: "System",
      isRowHeader: true,
      cell: ({ label }) => label,
      sortBy: ({ label }) => label,
    },
    {
      key: "before",
      header: before,
      align: "end",
      cell: ({ from }) => formatPoints(from.value),
      sortBy: ({ from }) => from.value,
    },
    {
      key: "after",
      header: after,
      align: "end",
      cell: ({ to }) => formatPoints(to.value),
      sortBy: ({ to }) => to.value,
    },
    {
      key: "points",
      header: "Points",
      align: "end",
      cell: (pair) => formatDifference(gainOf(pair)),
      sortBy: gainOf,
    },
    {
      key: "relative",
      header: "Relative",
      align: "end",
      cell: (pair) => formatPercent(shareOf(pair), 0),
      sortBy: shareOf,
    },
  ];
}

function csvRow({ system, label, from, to }: Dumbbell, before: string, after: string) {
  return {
    system,
    label,
    [before]: from.value,
    [`${before} n`]: from.n,
    [`${before} low`]: from.low,
    [`${before} high`]: from.high,
    [after]: to.value,
    [`${after} n`]: to.n,
    [`${after} low`]: to.low,
    [`${after} high`]: to.high,
    difference: to.value - from.value,
  };
}
