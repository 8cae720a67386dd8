/** Each system's score before and after in numbers: counts, points and shares, each with its interval. */
import type { LeaderboardColumn } from "../../api/schema";
import { BoundedFigure } from "../../components/bounded-number";
import { plainFigure } from "../../components/figure";
import { type Column, Table } from "../../components/table";
import { PublishedRow, PublishedValue } from "../../domain/published";
import { publishedNote, type ReferenceRow } from "../../domain/references";
import { formatCount, formatPoints } from "../../lib/numbers";
import { scoreCells } from "./beside";
import type { Dumbbell } from "./dumbbell-chart";
import { gainColumn } from "./gains";

/** The table's columns, and those of its file. */
export function dumbbellColumns(
  before: LeaderboardColumn,
  after: LeaderboardColumn,
): readonly Column<Dumbbell>[] {
  return [
    {
      key: "system",
      header: "System",
      isRowHeader: true,
      value: ({ label }) => label,
      csv: ({ system, label }) => ({ system, label }),
    },
    score("from", before),
    score("to", after),
    gainColumn("gain", ({ from, to }) => to.gain ?? plainFigure(pointsOf(from, to))),
    gainColumn("relative", ({ to }) => to.relative ?? plainFigure(null)),
  ];
}

/** Over the same questions the difference is known before its interval. */
function pointsOf(from: Dumbbell["from"], to: Dumbbell["to"]): number | null {
  return from.n === to.n ? to.value - from.value : null;
}

interface DumbbellTableProps {
  readonly caption: string;
  readonly pairs: readonly Dumbbell[];
  readonly columns: readonly Column<Dumbbell>[];
  /** Published numbers of either, and the keys of both. */
  readonly published: readonly ReferenceRow[];
  readonly keys: readonly [before: string, after: string];
}

export function DumbbellTable({ caption, pairs, columns, published, keys }: DumbbellTableProps) {
  return (
    <Table
      caption={caption}
      rows={pairs}
      rowKey={({ system }) => system}
      columns={columns}
      footer={
        published.length > 0 &&
        published.map((row) => (
          <PublishedRow key={row.key} name={row.name} note={publishedNote(row)}>
            {keys.map((key) => (
              <td key={key}>
                <PublishedValue score={row.scores[key]} />
              </td>
            ))}
            {/* They may be of other questions, so there is no way from one to the other. */}
            <td>–</td>
            <td>–</td>
          </PublishedRow>
        ))
      }
    />
  );
}

function score(key: "from" | "to", { key: way, name }: LeaderboardColumn): Column<Dumbbell> {
  return {
    key,
    header: name,
    align: "end",
    cell: ({ [key]: own }) => <BoundedFigure figure={own} format={formatPoints} counts={countWords(own)} />,
    value: ({ [key]: { value } }) => value,
    csv: ({ [key]: own }) => scoreCells(way, own),
  };
}

/** How many were right of how many; a mean of scores has no number right. */
function countWords({ correct, n }: Pick<Dumbbell["from"], "correct" | "n">): string {
  return correct === null ? `n ${formatCount(n)}` : `${formatCount(correct)} of ${formatCount(n)}`;
}
