/** A share for every two systems, as half a square. */
import type { SystemsBoard } from "../../api/contract";
import { PairCell, PairGrid } from "../../components/pair-grid";
import { formatPoints } from "../../lib/numbers";
import { pairsByEnds } from "../../lib/pairs";

interface SystemsGridProps {
  readonly board: SystemsBoard;
  readonly measure: "agreement" | "oracle";
  readonly caption: string;
}

export function SystemsGrid({ board, measure, caption }: SystemsGridProps) {
  const between = pairsByEnds(board.pairs, ({ first, second }) => [first, second]);
  const members = board.systems.map(({ system, label }) => ({ key: system, name: label }));
  const place = new Map(members.map(({ key }, at) => [key, at]));
  const isBelow = (row: string, column: string) => (place.get(row) ?? 0) > (place.get(column) ?? 0);
  return (
    <PairGrid
      isUpright
      caption={caption}
      rows={members.slice(1)}
      columns={members.slice(0, -1)}
      cell={(row, column) =>
        isBelow(row, column) ? <Cell value={between(row, column)?.[measure] ?? null} /> : <td />
      }
    />
  );
}

function Cell({ value }: { readonly value: number | null }) {
  if (value === null) return <td title="No question that both answered">–</td>;
  return <PairCell depth={value}>{formatPoints(value)}</PairCell>;
}
