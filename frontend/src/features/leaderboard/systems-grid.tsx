/** A share for every two systems, as half a square. */
import type { SystemsBoard } from "../../api/schema";
import { PairCell, PairGrid, pairsByEnds } from "../../components/pair-grid";
import { countOf, formatPoints } from "../../lib/numbers";
import type { Bounds, PairMeasure, SystemBounds } from "./systems-bounds";
import { intervalWords } from "./words";

interface SystemsGridProps {
  readonly board: SystemsBoard;
  readonly bounds: SystemBounds;
  readonly measure: PairMeasure;
  readonly title: string;
  readonly note: string;
}

export function SystemsGrid({ board, bounds, measure, title, note }: SystemsGridProps) {
  const between = pairsByEnds(board.pairs, ({ first, second }) => [first, second]);
  const members = board.systems.map(({ system, label }) => ({ key: system, name: label }));
  const place = new Map(members.map(({ key }, at) => [key, at]));
  const isBelow = (row: string, column: string) => (place.get(row) ?? 0) > (place.get(column) ?? 0);
  const shareOf = (row: string, column: string) =>
    isBelow(row, column) ? (between(row, column)?.[measure] ?? null) : null;
  return (
    <PairGrid
      isUpright
      title={title}
      note={note}
      of="System"
      rows={members.slice(1)}
      columns={members.slice(0, -1)}
      squareOf={(row, column) => {
        const share = shareOf(row, column);
        return share === null ? null : { depth: share, text: formatPoints(share) };
      }}
      cell={(row, column) =>
        isBelow(row, column) ? (
          <Cell
            value={shareOf(row, column)}
            questions={between(row, column)?.questions ?? 0}
            bounds={bounds.ofPair(row, column, measure)}
          />
        ) : (
          <td />
        )
      }
    />
  );
}

interface CellProps {
  readonly value: number | null;
  readonly questions: number;
  readonly bounds: Bounds;
}

function Cell({ value, questions, bounds }: CellProps) {
  if (value === null) return <td title="No question that both answered">–</td>;
  const interval = intervalWords(bounds?.[0] ?? null, bounds?.[1] ?? null);
  const title = [countOf(questions, "question"), interval].filter(Boolean).join(", ");
  return (
    <PairCell depth={value} title={title}>
      {formatPoints(value)}
      {interval && <span className="visually-hidden">, {interval}</span>}
    </PairCell>
  );
}
