/** The judges in short, beside people: agreement and the two error rates; the board has the rest. */
import { useQuery } from "@tanstack/react-query";
import type { JudgeBoardRow } from "../../api/contract";
import { judgeBoardQuery } from "../../api/leaderboard/judge-board";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { errorColumns, figureColumn, SHARE, Soft } from "./beside-columns";

const COLUMNS: readonly Column<JudgeBoardRow>[] = [
  {
    key: "name",
    header: "Judge",
    isRowHeader: true,
    cell: (row) =>
      row.run === "" ? row.name : <ProjectLink page={`runs/${row.run}`}>{row.name}</ProjectLink>,
    sortBy: (row) => row.name,
  },
  figureColumn<JudgeBoardRow>({
    key: "accuracy_all",
    header: "Agrees with people (%)",
    value: (row) => row.accuracy_all,
    look: SHARE,
  }),
  ...errorColumns<JudgeBoardRow>(),
];

export function JudgeBoard({ slug }: { readonly slug: string }) {
  const query = useQuery(judgeBoardQuery(slug));
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Soft>Compared here once people have decided answers that a judge has judged.</Soft>
        ) : (
          <>
            <Table
              caption="Judges compared with people"
              columns={COLUMNS}
              rows={rows}
              rowKey={(row) => row.key}
              initialSort={{ key: "accuracy_all", descending: true }}
            />
            <p>
              <ProjectLink page="runs/board">
                Intervals, coefficients, thresholds, and judges beside each other
              </ProjectLink>
            </p>
          </>
        )
      }
    </QueryView>
  );
}
