/** How far each judge's scores are from people's, over all systems: drawn and in numbers. */
import { useMemo } from "react";
import type { Comparison, Evaluator } from "../../api/schema";
import { whyWords } from "../../components/figure";
import { Section } from "../../components/page";
import { PlotFigure } from "../../components/plot-figure";
import { type Column, Table } from "../../components/table";
import { rowsLayout } from "../../lib/chart-axes";
import type { CsvColumn } from "../../lib/csv";
import { countOf, formatPoints } from "../../lib/numbers";
import { drawDistances } from "./distance-chart";
import { byDistance } from "./nearest";

interface DistanceSectionProps {
  readonly comparison: Comparison;
  readonly evaluators: readonly Evaluator[];
}

const COLUMNS: readonly Column<Evaluator>[] = [
  {
    key: "judge",
    header: "Judge",
    cell: ({ name, signature }) => <span title={signature}>{name}</span>,
    value: ({ name }) => name,
  },
  {
    key: "distance",
    header: "Distance (points)",
    align: "end",
    cell: ({ distance }) =>
      distance.value === null ? <small>{whyWords(distance)}</small> : formatPoints(distance.value),
    value: ({ distance }) => distance.value,
  },
  { key: "systems", header: "Systems", align: "end", value: ({ systems }) => systems },
];
/** By what options each judged is told in the file. */
const IN_FILE: readonly CsvColumn<Evaluator>[] = [
  ...COLUMNS,
  {
    key: "signature",
    csv: ({ projects, signature }) => ({ projects, "signature of judge": signature }),
  },
];

export function DistanceSection({ comparison, evaluators }: DistanceSectionProps) {
  const sorted = useMemo(() => byDistance(evaluators), [evaluators]);
  const drawn = useMemo(() => sorted.filter(({ distance }) => distance.value !== null), [sorted]);
  return (
    <Section title="Distance from people">
      <p className="soft">
        A judge’s distance is the mean absolute difference between the scores that the judge and people give
        to systems, on questions that both have judged. No interval is shown because, with few questions,
        chance alone makes every judge look farther from people than it is.
      </p>
      {drawn.length > 0 && (
        <PlotFigure
          title="Mean distance of each judge from people"
          note={`in points of accuracy, over ${countOf(comparison.rows.length, "system")} in ${countOf(comparison.projects.length, "project")}.`}
          draw={drawDistances}
          of={drawn}
          height={rowsLayout(drawn.length).height / 16}
          narrowHeight={rowsLayout(drawn.length, { isStacked: true }).height / 16}
        />
      )}
      <Table
        caption="Mean distance of each judge from people"
        columns={COLUMNS}
        rows={sorted}
        rowKey={({ key }) => key}
        file={{
          name: "distance-from-people",
          columns: IN_FILE,
          signature: comparison.signature,
        }}
      />
    </Section>
  );
}
