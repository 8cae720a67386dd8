/** What was decided in the end: how many answers bear each label, and what settled them. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { DecisionIntervals, LabelDecided } from "../../api/schema";
import { useProject } from "../../api/project";
import { BoundedNumber } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { LabelMark } from "../../domain/labels";
import { csvBounded } from "../../lib/csv";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { decisionSourceWords, sourcesOf } from "./words";

export function Decisions() {
  const { slug } = useProject();
  const { data: found } = useQuery(read("/api/projects/{slug}/agreement/decisions", { slug }));
  const rows = found?.labels ?? [];
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const intervals = useQuery({
    ...read("/api/projects/{slug}/agreement/decisions/intervals", { slug }),
    enabled: total > 0,
  });
  const bounds = intervals.data;
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
        columns={columnsOf(rows, total, bounds)}
        footer={<Sources rows={rows} total={total} bounds={bounds} />}
      />
      {intervals.isPending && <p className={styles["soft"]}>Intervals are being computed.</p>}
      {intervals.isError && <p className={styles["soft"]}>The intervals could not be computed.</p>}
      <div className={styles["below"]}>
        <CsvButton name="decisions" rows={csvRows(rows, total, bounds)} signature={found?.signature} />
      </div>
    </Section>
  );
}

type Bounds = DecisionIntervals | undefined;

function columnsOf(rows: readonly LabelDecided[], total: number, bounds: Bounds): Column<LabelDecided>[] {
  return [
    {
      key: "label",
      header: "Decided to be",
      isRowHeader: true,
      cell: ({ label, name }) => <LabelMark label={label} name={name} />,
    },
    { key: "count", header: "Decisions", align: "end", cell: ({ count }) => formatCount(count) },
    {
      key: "share",
      header: "Share",
      align: "end",
      cell: ({ label, count }) => (
        <BoundedNumber
          text={formatPercent(count / total)}
          interval={bounds?.labels[label]}
          format={formatPercent}
          words={bounds?.words[`labels.${label}`]}
        />
      ),
    },
    ...sourcesOf(rows).map((source): Column<LabelDecided> => ({
      key: source,
      header: decisionSourceWords(source),
      align: "end",
      cell: ({ sources }) => formatCount(sources[source] ?? 0),
    })),
  ];
}

interface SourcesProps {
  readonly rows: readonly LabelDecided[];
  readonly total: number;
  readonly bounds: Bounds;
}

function countOfSource(rows: readonly LabelDecided[], source: string): number {
  return rows.reduce((sum, { sources }) => sum + (sources[source] ?? 0), 0);
}

/** What settled how many of all, whatever they say. */
function Sources({ rows, total, bounds }: SourcesProps) {
  return (
    <tr>
      <th scope="row">All decisions</th>
      <td>{formatCount(total)}</td>
      <td>{formatPercent(1)}</td>
      {sourcesOf(rows).map((source) => (
        <td key={source}>
          <BoundedNumber
            text={formatPercent(countOfSource(rows, source) / total)}
            counts={formatCount(countOfSource(rows, source))}
            interval={bounds?.sources[source]}
            format={formatPercent}
            words={bounds?.words[`sources.${source}`]}
          />
        </td>
      ))}
    </tr>
  );
}

/** A row a label, the last all together, with the share of each source. */
function csvRows(rows: readonly LabelDecided[], total: number, bounds: Bounds) {
  const labels = rows.map(({ label, count, sources }) => ({
    label,
    decisions: count,
    ...csvBounded("share", count / total, bounds?.labels[label]),
    ...Object.fromEntries(sourcesOf(rows).map((source) => [source, sources[source] ?? 0])),
  }));
  const all = {
    label: "all",
    decisions: total,
    ...csvBounded("share", 1, undefined),
    ...Object.fromEntries(sourcesOf(rows).map((source) => [source, countOfSource(rows, source)])),
  };
  const shares = Object.fromEntries(
    sourcesOf(rows).flatMap((source) =>
      Object.entries(
        csvBounded(`${source}_share`, countOfSource(rows, source) / total, bounds?.sources[source]),
      ),
    ),
  );
  const none = Object.fromEntries(Object.keys(shares).map((key) => [key, null]));
  return [...labels.map((row) => ({ ...row, ...none })), { ...all, ...shares }];
}
