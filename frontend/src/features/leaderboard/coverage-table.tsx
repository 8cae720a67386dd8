/** How many questions each system answered, and how many right. */
import type { SystemsBoard } from "../../api/contract";
import { Table } from "../../components/table";
import { formatCount, formatPercent } from "../../lib/numbers";

export function CoverageTable({ board }: { readonly board: SystemsBoard }) {
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
          cell: ({ label }) => label,
          sortBy: ({ label }) => label,
        },
        {
          key: "answered",
          header: "Answered",
          align: "end",
          cell: ({ answered }) => formatCount(answered),
          sortBy: ({ answered }) => answered,
        },
        {
          key: "coverage",
          header: `Of ${formatCount(board.questions)} questions`,
          align: "end",
          cell: ({ answered }) => formatPercent(share(answered, board.questions)),
          sortBy: ({ answered }) => answered,
        },
        {
          key: "right",
          header: "Right",
          align: "end",
          cell: ({ right }) => formatCount(right),
          sortBy: ({ right }) => right,
        },
        {
          key: "share",
          header: "Of those answered",
          align: "end",
          cell: ({ right, answered }) => formatPercent(share(right, answered)),
          sortBy: ({ right, answered }) => share(right, answered),
        },
      ]}
    />
  );
}
