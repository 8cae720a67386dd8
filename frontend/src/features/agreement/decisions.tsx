/** What was decided in the end: how many answers bear each label, and what settled them. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Decisions as Decided, LabelDecided } from "../../api/schema";
import { useProject } from "../../api/project";
import { boundedCells, boundedColumn, FigureCell, LOOKS, makeFigure } from "../../components/figure";
import { Section } from "../../components/page";
import { type Column, numberColumn, Table } from "../../components/table";
import { LabelMark } from "../../domain/labels";
import type { CsvColumn } from "../../lib/csv";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import { decisionSourceWords, sourcesOf } from "./words";

export function Decisions() {
  const { slug } = useProject();
  const { data: found } = useQuery(read("/api/projects/{slug}/agreement/decisions", { slug }));
  const total = found?.labels.reduce((sum, { count }) => sum + count, 0) ?? 0;
  if (found === undefined || total === 0) return null;
  const columns = columnsOf(found.labels);
  return (
    <Section title="Decisions by label">
      <p className="soft">
        The table covers {countOf(total, "current decision")}, including those made by tie-break or
        adjudication, on questions that count toward scores.
      </p>
      <Table
        caption="Decisions by label and source"
        rows={found.labels}
        rowKey={({ label }) => label}
        columns={columns}
        footer={<Sources found={found} total={total} />}
        keepsOrder
        file={{
          name: "decisions",
          columns: [...columns, ...shareColumns(found)],
          rows: [...found.labels, allOf(found, total)],
          signature: found.signature,
        }}
      />
    </Section>
  );
}

function columnsOf(rows: readonly LabelDecided[]): Column<LabelDecided>[] {
  return [
    {
      key: "label",
      header: "Label",
      cell: ({ label, name }) => <LabelMark label={label} name={name} />,
      value: ({ label }) => label,
    },
    { key: "decisions", header: "Decisions", align: "end", value: ({ count }) => count },
    boundedColumn("share", "Share", ({ share }) => share, { look: LOOKS.percent, interval: "below" }),
    ...sourcesOf(rows).map((source) =>
      numberColumn<LabelDecided>(source, decisionSourceWords(source), ({ sources }) => sources[source] ?? 0),
    ),
  ];
}

function countOfSource(rows: readonly LabelDecided[], source: string): number {
  return rows.reduce((sum, { sources }) => sum + (sources[source] ?? 0), 0);
}

/** What settled how many of all, whatever they say. */
function Sources({ found, total }: { readonly found: Decided; readonly total: number }) {
  return (
    <tr>
      <th scope="row">All decisions</th>
      <td>{formatCount(total)}</td>
      <td>{formatPercent(1)}</td>
      {sourcesOf(found.labels).map((source) => (
        <td key={source}>
          <FigureCell
            figure={found.sources[source]}
            look={LOOKS.percent}
            interval="below"
            counts={formatCount(countOfSource(found.labels, source))}
          />
        </td>
      ))}
    </tr>
  );
}

/** In a file the last row is all together, with the share of each source. */
function allOf({ labels }: Decided, total: number): LabelDecided {
  const sources = sourcesOf(labels).map((source) => [source, countOfSource(labels, source)] as const);
  return { label: ALL, name: "", count: total, share: makeFigure(1), sources: Object.fromEntries(sources) };
}

const ALL = "all";

function shareColumns({ labels, sources }: Decided): CsvColumn<LabelDecided>[] {
  return sourcesOf(labels).map((source) => {
    const key = `${source}_share`;
    return { key, csv: ({ label }) => boundedCells(key, label === ALL ? sources[source] : undefined) };
  });
}
