/** How many questions each system answered, and how many right. */
import type { SystemsBoard } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { figureColumn } from "../../components/figure";
import { type Column, Table } from "../../components/table";

type Row = SystemsBoard["systems"][number];

export function CoverageTable({ board }: { readonly board: SystemsBoard }) {
  const columns: readonly Column<Row>[] = [
    {
      key: "system",
      header: "System",
      isRowHeader: true,
      value: ({ name }) => name,
      csv: ({ key }) => ({ system: key, questions: board.questions }),
    },
    { key: "answered", header: "Answered", align: "end", value: ({ counts }) => counts["answered"] },
    figureColumn("answered_share"),
    { key: "right", header: "Right", align: "end", value: ({ counts }) => counts["right"] },
    figureColumn("right_share"),
  ];
  return (
    <>
      <Table
        folds
        caption="Questions that each system answered"
        rows={board.systems}
        rowKey={({ key }) => key}
        columns={columns}
      />
      <div>
        <CsvButton name="coverage" columns={columns} rows={board.systems} signature={board.signature} />
      </div>
    </>
  );
}
