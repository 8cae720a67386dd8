/** Judges against people: agreement, the two error rates as counts one can picture, the ranking's τ. */
import { useQuery } from "@tanstack/react-query";
import type { JudgeBoardRow } from "../../api/contract";
import { judgeBoardQuery } from "../../api/leaderboard/judge-board";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { formatCoefficient, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import styles from "./run-list.module.css";
import { wronged } from "./wronged";

const rejects = (row: JudgeBoardRow) => wronged(row.fn, row.tp);
const accepts = (row: JudgeBoardRow) => wronged(row.fp, row.tn);

const COLUMNS: readonly Column<JudgeBoardRow>[] = [
  {
    key: "name",
    header: "Judge",
    isRowHeader: true,
    cell: (row) =>
      row.run === "" ? row.name : <ProjectLink page={`runs/${row.run}`}>{row.name}</ProjectLink>,
    sortBy: (row) => row.name,
  },
  {
    key: "accuracy",
    header: "Agrees with people (%)",
    align: "end",
    cell: (row) =>
      row.kind === "human" ? (
        formatPoints(row.accuracy_all)
      ) : (
        <ProjectLink page="answers" search={{ errors_of: row.run }}>
          {formatPoints(row.accuracy_all)}
          <span className="visually-hidden">, see where {row.name} errs</span>
        </ProjectLink>
      ),
    sortBy: (row) => row.accuracy_all,
  },
  {
    key: "scored",
    header: "of those it judged (%)",
    align: "end",
    cell: (row) => formatPoints(row.accuracy_scored),
    sortBy: (row) => row.accuracy_scored,
  },
  {
    key: "coverage",
    header: "Judged",
    align: "end",
    cell: (row) => formatPercent(row.coverage),
    sortBy: (row) => row.coverage,
  },
  {
    key: "rejects",
    header: "Rejects of 100 right",
    align: "end",
    cell: (row) => formatPoints(rejects(row), 0),
    sortBy: rejects,
  },
  {
    key: "accepts",
    header: "Accepts of 100 wrong",
    align: "end",
    cell: (row) => formatPoints(accepts(row), 0),
    sortBy: accepts,
  },
  {
    key: "reports",
    header: "Says right (%)",
    headerTitle: "Share of answers it accepts",
    align: "end",
    cell: (row) => formatPoints(row.accepted_share),
    sortBy: (row) => row.accepted_share,
  },
  {
    key: "true",
    header: "Is right (%)",
    headerTitle: "Share of answers people accept",
    align: "end",
    cell: (row) => formatPoints(row.correct_share),
    sortBy: (row) => row.correct_share,
  },
  {
    key: "f1",
    header: "Macro-F1",
    align: "end",
    cell: (row) => formatPoints(row.macro_f1),
    sortBy: (row) => row.macro_f1,
  },
  {
    key: "tau",
    header: "Kendall’s τ",
    align: "end",
    cell: (row) => <span title={row.words["kendall_tau_b"]}>{formatCoefficient(row.kendall_tau_b)}</span>,
    sortBy: (row) => row.kendall_tau_b,
  },
];

export function JudgeBoard({ slug }: { readonly slug: string }) {
  const query = useQuery(judgeBoardQuery(slug));
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={styles["soft"]}>
            Compared here once people have decided answers that a judge has judged.
          </p>
        ) : (
          <>
            <Table
              caption="Judges compared with people"
              columns={COLUMNS}
              rows={rows}
              rowKey={(row) => row.key}
              initialSort={{ key: "accuracy", descending: true }}
            />
            <p className={styles["soft"]}>{sizeWords(rows)}</p>
          </>
        )
      }
    </QueryView>
  );
}

function sizeWords(rows: readonly JudgeBoardRow[]): string {
  const judges = rows.filter((row) => row.kind === "judge");
  if (judges.length === 0) return "Raters are compared with each other, vote by vote.";
  const sizes = judges.map(({ tp, fn, fp, tn, unscored }) => tp + fn + fp + tn + unscored);
  return `On up to ${formatCount(Math.max(...sizes))} answers that people have decided. An answer a judge could not judge counts against it in the first column and not in the second.`;
}
