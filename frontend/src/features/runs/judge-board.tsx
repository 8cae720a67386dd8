/** The judges in short, beside people: agreement and the two error rates; the board has the rest. */
import { read } from "../../api/client";
import type { JudgeBoardRow } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { figureColumn } from "../../components/figure";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { Computing, errorColumns, sizeColumn, Soft, useIntervals, verdictsOf } from "./beside-columns";
import { csvOf } from "./board/board-csv";

const COLUMNS: readonly Column<JudgeBoardRow>[] = [
  {
    key: "name",
    header: "Judge",
    isRowHeader: true,
    cell: (row) =>
      row.run === "" ? row.name : <ProjectLink page={`runs/${row.run}`}>{row.name}</ProjectLink>,
    value: (row) => row.name,
  },
  sizeColumn<JudgeBoardRow>("n", verdictsOf),
  figureColumn<JudgeBoardRow>("accuracy_scored"),
  ...errorColumns<JudgeBoardRow>(),
];

export function JudgeBoard({ slug }: { readonly slug: string }) {
  const { query, bounded } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board", { slug }, { common: false, intervals }),
  );
  return (
    <QueryView query={query}>
      {(points) =>
        points.length === 0 ? (
          <Soft>Compared here once people have decided answers that a judge has judged.</Soft>
        ) : (
          <>
            <Table
              caption="Judges compared with people"
              columns={COLUMNS}
              rows={bounded.data ?? points}
              rowKey={(row) => row.key}
              initialSort={{ key: "accuracy_scored", descending: true }}
            />
            <div>
              <CsvButton name="judges-in-short" rows={(bounded.data ?? points).map(csvOf)} judges={points} />
            </div>
            <Computing query={bounded} />
            <Soft>
              For a judge, n counts the answers that people decided and it judged; for raters, it counts
              votes. Thin bars are 95 % intervals over questions.
            </Soft>
            <p>
              <ProjectLink page="runs/board">
                Coefficients, thresholds, and judges beside each other
              </ProjectLink>
            </p>
          </>
        )
      }
    </QueryView>
  );
}
