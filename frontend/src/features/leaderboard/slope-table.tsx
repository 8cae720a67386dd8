/** The ends of the slope chart in numbers. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { LeaderboardColumn, LeaderboardRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { type Column, Table } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";
import { formatCount } from "../../lib/numbers";
import { gainFinder } from "./gains";
import { pointsColumn } from "./points-column";
import type { SlopePoint } from "./slope-chart";
import { difference, rankChange } from "./standings";
import type { BoardView } from "./use-board";

interface SlopeTableProps {
  readonly title: string;
  readonly view: BoardView;
  readonly filter: QuestionFilter;
  readonly points: readonly SlopePoint[];
  readonly columns: readonly LeaderboardColumn[];
  /** What produced the board's numbers. */
  readonly signature: string;
}

function placesWords(moved: number): string {
  return moved === 0 ? "0" : `${moved > 0 ? "+" : "\u2212"}${formatCount(Math.abs(moved))}`;
}

function endColumn(column: LeaderboardColumn, points: readonly SlopePoint[]): Column<LeaderboardRow> {
  const pointOf = (row: LeaderboardRow) =>
    points.find(({ system, key }) => system === row.system && key === column.key);
  return {
    key: column.key,
    header: column.name,
    align: "end",
    cell: (row) => pointOf(row)?.text ?? "–",
    value: (row) => pointOf(row)?.value ?? null,
  };
}

function placesColumn(first: LeaderboardColumn, last: LeaderboardColumn): Column<LeaderboardRow> {
  const moved = (row: LeaderboardRow) => rankChange(row, first.key, last.key);
  return {
    key: "places",
    header: "Places",
    align: "end",
    cell: (row) => {
      const places = moved(row);
      return places === null ? "–" : placesWords(places);
    },
    value: moved,
  };
}

export function SlopeTable({ title, view, filter, points, columns, signature }: SlopeTableProps) {
  const { slug } = useProject();
  const [first, last] = [columns[0], columns.at(-1)];
  const gains = useQuery({
    ...read("/api/projects/{slug}/leaderboard/gains", { slug }, { ...filter, column: first?.key ?? "" }),
    enabled: first !== undefined,
  });
  if (!first || !last) return null;
  const find = gainFinder(gains.data);
  const gainOf = (system: string) => find(last.key, system);
  return (
    <div>
      <Table
        folds
        caption={`${title}: ${first.name} and ${last.name}`}
        rows={view.rows}
        rowKey={(row) => row.system}
        columns={[
          {
            key: "system",
            header: "System",
            isRowHeader: true,
            value: (row) => row.label,
          },
          endColumn(first, points),
          endColumn(last, points),
          ...(view.rows.some((row) => rankChange(row, first.key, last.key) !== null)
            ? [placesColumn(first, last)]
            : []),
          pointsColumn<LeaderboardRow>(
            (row) => difference(row, first.key, last.key) ?? gainOf(row.system)?.difference ?? null,
            gainOf,
          ),
        ]}
      />
      <CsvButton
        name={title.startsWith("Rank") ? "ranks" : "scores"}
        rows={view.rows.map((row) => csvOf(row, points, columns))}
        signature={signature}
        judges={columns}
      />
    </div>
  );
}

function csvOf(row: LeaderboardRow, points: readonly SlopePoint[], columns: readonly LeaderboardColumn[]) {
  const own = points.filter(({ system }) => system === row.system);
  const values = columns.map(({ key }) => [key, own.find((point) => point.key === key)?.value] as const);
  return { system: row.system, label: row.label, n: row.n, ...Object.fromEntries(values) };
}
