/** A share for every two systems, as half a square. */
import type { SystemsBoard } from "../../api/schema";
import { PairCell, PairGrid, pairsByEnds } from "../../components/pair-grid";
import { countOf, formatPoints } from "../../lib/numbers";
import { type Figure, plainFigure } from "../../components/figure";
import { intervalWords } from "./words";

interface SystemsGridProps {
  readonly board: SystemsBoard;
  readonly measure: "agreement" | "oracle";
  readonly title: string;
  readonly note: string;
}

export function SystemsGrid({ board, measure, title, note }: SystemsGridProps) {
  const between = pairsByEnds(board.pairs, ({ first, second }) => [first, second]);
  const members = board.systems;
  const place = new Map(members.map(({ key }, at) => [key, at]));
  const isBelow = (row: string, column: string) => (place.get(row) ?? 0) > (place.get(column) ?? 0);
  const figureOf = (row: string, column: string) =>
    isBelow(row, column) ? (between(row, column)?.[measure] ?? plainFigure(null)) : plainFigure(null);
  return (
    <PairGrid
      isUpright
      title={title}
      note={note}
      of="System"
      rows={members.slice(1)}
      columns={members.slice(0, -1)}
      squareOf={(row, column) => {
        const { value } = figureOf(row, column);
        return value === null ? null : { depth: value, text: formatPoints(value) };
      }}
      cell={(row, column) =>
        isBelow(row, column) ? (
          <Cell figure={figureOf(row, column)} questions={between(row, column)?.questions ?? 0} />
        ) : (
          <td />
        )
      }
    />
  );
}

interface CellProps {
  readonly figure: Figure;
  readonly questions: number;
}

function Cell({ figure: { value, low, high }, questions }: CellProps) {
  if (value === null) return <td title="No question that both answered">–</td>;
  const interval = intervalWords(low, high);
  const title = [countOf(questions, "question"), interval].filter(Boolean).join(", ");
  return (
    <PairCell depth={value} title={title}>
      {formatPoints(value)}
      {interval && <span className="visually-hidden">, {interval}</span>}
    </PairCell>
  );
}
