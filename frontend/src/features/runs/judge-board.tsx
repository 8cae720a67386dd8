/** The judges in short, beside people: agreement and the two error rates; the board has the rest. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { JudgeBoardRow } from "../../api/contract";
import { CsvButton } from "../../components/csv-button";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import {
  type Bounds,
  boundsIn,
  Computing,
  errorColumns,
  figureColumn,
  SHARE,
  sizeColumn,
  Soft,
  verdictsOf,
} from "./beside-columns";
import { csvOf } from "./board/board-csv";

type BoundsOf = (row: JudgeBoardRow, figure: string) => Bounds;

function columnsOf(boundsOf: BoundsOf): readonly Column<JudgeBoardRow>[] {
  return [
    {
      key: "name",
      header: "Judge",
      isRowHeader: true,
      cell: (row) =>
        row.run === "" ? row.name : <ProjectLink page={`runs/${row.run}`}>{row.name}</ProjectLink>,
      sortBy: (row) => row.name,
    },
    sizeColumn<JudgeBoardRow>("n", verdictsOf),
    figureColumn<JudgeBoardRow>({
      key: "accuracy_scored",
      header: "Agrees, of those it judged (%)",
      value: (row) => row.accuracy_scored,
      bounds: (row) => boundsOf(row, "accuracy_scored"),
      look: SHARE,
    }),
    ...errorColumns<JudgeBoardRow>(boundsOf),
  ];
}

export function JudgeBoard({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board", { slug }, { common: false }));
  const hasRows = query.data !== undefined && query.data.length > 0;
  const intervals = useQuery({
    ...read("/api/projects/{slug}/judge-board/intervals", { slug }, { common: false }),
    enabled: hasRows,
  });
  const boundsOf: BoundsOf = (row, figure) =>
    boundsIn(
      intervals.data?.find(({ key }) => key === row.key),
      figure,
    );
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Soft>Compared here once people have decided answers that a judge has judged.</Soft>
        ) : (
          <>
            <Table
              caption="Judges compared with people"
              columns={columnsOf(boundsOf)}
              rows={rows}
              rowKey={(row) => row.key}
              initialSort={{ key: "accuracy_scored", descending: true }}
            />
            <div>
              <CsvButton
                name="judges-in-short"
                rows={rows.map((row) => csvOf(row, boundsOf))}
                judges={rows}
              />
            </div>
            <Computing query={intervals} />
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
