/** What another project's decisions would decide, answer by answer. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ReusableAnswer } from "../../api/contract";
import { AnswerCell } from "../../components/answer-cell";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { formatCount } from "../../lib/numbers";
import styles from "./import.module.css";

const COLUMNS: readonly Column<ReusableAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
  },
  {
    key: "label",
    header: "Would be",
    cell: (row) =>
      row.label === null ? <Badge tone="warning">Decisions differ</Badge> : <LabelMark label={row.label} />,
  },
];

export function ReusePreview({ slug, project }: { readonly slug: string; readonly project: string }) {
  const query = useQuery(read("/api/projects/{slug}/reuse/preview", { slug }, { project }));
  return (
    <QueryView query={query}>
      {({ answers, total }) => (
        <>
          <Table
            folds
            caption="Answers decided there"
            columns={COLUMNS}
            rows={answers}
            rowKey={(row) => row.id}
          />
          {total > answers.length && (
            <p className={styles["soft"]}>
              The first {formatCount(answers.length)} of {formatCount(total)}.
            </p>
          )}
        </>
      )}
    </QueryView>
  );
}
