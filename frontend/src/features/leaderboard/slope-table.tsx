/** The ends of the slope chart in numbers. */
import type { LeaderboardColumn, SystemRow } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { type Column, Table } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";
import { formatCount } from "../../lib/numbers";
import { gainColumn, useGains } from "./gains";
import type { SlopePoint } from "./slope-chart";
import { gainIn, rankChange } from "./standings";
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

function endColumn(column: LeaderboardColumn, points: readonly SlopePoint[]): Column<SystemRow> {
  const pointOf = (row: SystemRow) =>
    points.find(({ system, key }) => system === row.system && key === column.key);
  return {
    key: column.key,
    header: column.name,
    align: "end",
    cell: (row) => pointOf(row)?.text ?? "–",
    value: (row) => pointOf(row)?.value ?? null,
  };
}

function placesColumn(first: LeaderboardColumn, last: LeaderboardColumn): Column<SystemRow> {
  const moved = (row: SystemRow) => rankChange(row, first.key, last.key);
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
  const [first, last] = [columns[0], columns.at(-1)];
  const gains = useGains(filter, first?.key);
  if (!first || !last) return null;
  const bounded = new Map(gains.data?.rows.map((row) => [row.system, row]));
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
          gainColumn<SystemRow>("gain", (row) => gainIn(bounded.get(row.system) ?? row, first.key, last.key)),
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

function csvOf(row: SystemRow, points: readonly SlopePoint[], columns: readonly LeaderboardColumn[]) {
  const own = points.filter(({ system }) => system === row.system);
  const values = columns.map(({ key }) => [key, own.find((point) => point.key === key)?.value] as const);
  return { system: row.system, label: row.label, n: row.n, ...Object.fromEntries(values) };
}
