/** What another project's decisions would decide, answer by answer. */
import { useQuery } from "@tanstack/react-query";
import type { ReusableAnswer } from "../../api/contract";
import { reusePreviewQuery } from "../../api/imports/preview-reuse";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { formatCount } from "../../lib/numbers";
import styles from "./import.module.css";

const COLUMNS: readonly Column<ReusableAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: (row) => (
      <ProjectLink page={`answers/${row.id}`}>
        <span dir="auto">{row.answer || "(empty)"}</span>
      </ProjectLink>
    ),
  },
  {
    key: "question",
    header: "Question",
    cell: (row) => (
      <span className={styles["cell"]} dir="auto">
        {row.question}
      </span>
    ),
  },
  {
    key: "label",
    header: "Would be",
    cell: (row) =>
      row.label === null ? <Badge tone="warning">Decisions differ</Badge> : <LabelMark label={row.label} />,
  },
];

export function ReusePreview({ slug, project }: { readonly slug: string; readonly project: string }) {
  const query = useQuery(reusePreviewQuery(slug, project));
  return (
    <QueryView query={query}>
      {({ answers, total }) => (
        <>
          <Table caption="Answers decided there" columns={COLUMNS} rows={answers} rowKey={(row) => row.id} />
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
