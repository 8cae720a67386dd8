/** What was decided in the end: how many answers bear each label, and what settled them. */
import { useQuery } from "@tanstack/react-query";
import { decisionCountsQuery } from "../../api/agreement/decision-counts";
import type { LabelDecided } from "../../api/contract";
import { useProject } from "../../api/projects/project";
import { CsvButton } from "../../components/csv-button";
import { LabelMark } from "../../components/label-mark";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { decisionSourceWords, sourcesOf } from "./words";

export function Decisions() {
  const { slug } = useProject();
  const { data: rows = [] } = useQuery(decisionCountsQuery(slug));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return (
    <Section title="What was decided">
      <p className={styles["soft"]}>
        {countOf(total, "decision")} in force, of questions that count; third votes and adjudication are among
        them.
      </p>
      <Table
        caption="Decisions by label and by what settled them"
        rows={rows}
        rowKey={({ label }) => label}
        columns={columnsOf(rows, total)}
      />
      <p className={styles["below"]}>
        <CsvButton name="decisions" rows={rows.map((row) => csvRow(row, rows, total))} />
      </p>
    </Section>
  );
}

function columnsOf(rows: readonly LabelDecided[], total: number): Column<LabelDecided>[] {
  return [
    {
      key: "label",
      header: "Decided to be",
      isRowHeader: true,
      cell: ({ label, name }) => <LabelMark label={label} name={name} />,
    },
    { key: "count", header: "Decisions", align: "end", cell: ({ count }) => formatCount(count) },
    { key: "share", header: "Share", align: "end", cell: ({ count }) => formatPercent(count / total) },
    ...sourcesOf(rows).map((source): Column<LabelDecided> => ({
      key: source,
      header: decisionSourceWords(source),
      align: "end",
      cell: ({ sources }) => formatCount(sources[source] ?? 0),
    })),
  ];
}

function csvRow({ label, count, sources }: LabelDecided, rows: readonly LabelDecided[], total: number) {
  const bySource = sourcesOf(rows).map((source) => [source, sources[source] ?? 0]);
  return { label, decisions: count, share: count / total, ...Object.fromEntries(bySource) };
}
