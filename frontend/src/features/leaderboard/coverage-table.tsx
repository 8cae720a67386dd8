/** How many questions each system answered, and how many right. */
import type { SystemsBoard } from "../../api/schema";
import { IntervalBar } from "../../components/interval-bar";
import { Table } from "../../components/table";
import { formatCount, formatPercent } from "../../lib/numbers";
import type { Bounds, SystemBounds } from "./systems-bounds";
import { intervalWords } from "./words";

interface CoverageTableProps {
  readonly board: SystemsBoard;
  readonly bounds: SystemBounds;
}

export function CoverageTable({ board, bounds }: CoverageTableProps) {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return (
    <Table
      folds
      caption="Questions that each system answered"
      rows={board.systems}
      rowKey={({ system }) => system}
      columns={[
        {
          key: "system",
          header: "System",
          isRowHeader: true,
          value: ({ label }) => label,
        },
        {
          key: "answered",
          header: "Answered",
          align: "end",
          value: ({ answered }) => answered,
        },
        {
          key: "coverage",
          header: `Of ${formatCount(board.questions)} questions`,
          align: "end",
          cell: ({ system, answered }) => (
            <Share value={share(answered, board.questions)} bounds={bounds.ofSystem(system, "coverage")} />
          ),
          value: ({ answered }) => answered,
        },
        {
          key: "right",
          header: "Right",
          align: "end",
          value: ({ right }) => right,
        },
        {
          key: "share",
          header: "Of those answered",
          align: "end",
          cell: ({ system, right, answered }) => (
            <Share value={share(right, answered)} bounds={bounds.ofSystem(system, "right")} />
          ),
          value: ({ right, answered }) => share(right, answered),
        },
      ]}
    />
  );
}

function Share({ value, bounds }: { readonly value: number | null; readonly bounds: Bounds }) {
  const [low, high] = bounds ?? [];
  if (value === null || low === undefined || high === undefined) return formatPercent(value);
  return (
    <IntervalBar
      value={value}
      low={low}
      high={high}
      text={formatPercent(value)}
      description={intervalWords(low, high) ?? ""}
    />
  );
}
