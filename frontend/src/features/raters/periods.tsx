/** Agreement over a rater's work, as a curve with its intervals and as the table behind it. */
import type { RaterDetail } from "../../api/schema";
import { boundedCells } from "../../components/figure";
import { PlotFigure } from "../../components/plot-figure";
import { type Column, Table } from "../../components/table";
import { countOf } from "../../lib/numbers";
import { exactTime } from "../../lib/time";
import { drawCurve } from "./curve-chart";
import { Figure } from "./figure";
import styles from "./raters.module.css";

type Period = RaterDetail["periods"][number] & { readonly part: number };

const COLUMNS: readonly Column<Period>[] = [
  {
    key: "part",
    header: "Part",
    cell: ({ part }) => part,
    csv: ({ part, begins_at, ends_at }) => ({ part, from: begins_at, to: ends_at }),
  },
  { key: "from", header: "From", cell: (period) => <When at={period.begins_at} /> },
  { key: "until", header: "To", cell: (period) => <When at={period.ends_at} /> },
  {
    key: "agreement",
    header: "Agreement",
    align: "end",
    cell: (period) => <Figure figure={period.agreement} />,
    csv: ({ agreement }) => ({ ...boundedCells("agrees", agreement, ""), of: agreement.words }),
  },
  { key: "of", header: "Answers", align: "end", cell: (period) => period.agreement.words },
];

function When({ at }: { readonly at: string }) {
  return <span className={styles["when"]}>{exactTime(new Date(at))}</span>;
}

function comparedCount(periods: RaterDetail["periods"]): number {
  return periods.reduce((sum, { agreement }) => sum + (agreement.tally?.total ?? 0), 0);
}

export function Periods({ rater }: { readonly rater: RaterDetail }) {
  const { periods } = rater;
  if (periods.length === 0) {
    return <p>Agreement over time needs at least 50 comparable votes in a known order.</p>;
  }
  return (
    <>
      <PlotFigure
        title="Agreement over time"
        note={`Compared with other annotators’ labels on ${countOf(comparedCount(periods), "answer")}, in ${countOf(periods.length, "equal part")} of this annotator’s work.`}
        marks={[
          { shape: "dot", color: "var(--chart-1)", look: "dot", name: "agreement" },
          { shape: "bar", color: "var(--chart-muted)", look: "bar", name: "95% interval" },
        ]}
        label="Agreement with other annotators’ labels over equal parts of this annotator’s work"
        draw={drawCurve}
        of={periods}
        height={14}
      />
      <Table
        folds
        caption="Agreement by part of this annotator’s work"
        columns={COLUMNS}
        rows={periods.map((period, index) => ({ ...period, part: index + 1 }))}
        rowKey={(period) => String(period.part)}
        file={{ name: `agreement-over-time-${rater.pseudonym}`, signature: rater.signature }}
      />
    </>
  );
}
