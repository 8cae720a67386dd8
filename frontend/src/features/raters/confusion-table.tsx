/** How often each label was given where the answer came to each label without this rater. */
import type { RaterDetail } from "../../api/schema";
import { type Column, Table } from "../../components/table";
import { LabelMark } from "../../domain/labels";
import { formatCount } from "../../lib/numbers";
import styles from "./raters.module.css";

interface Row {
  readonly label: string;
  readonly counts: readonly number[];
}

interface ConfusionTableProps {
  readonly rater: RaterDetail;
  readonly nameOf: (label: string) => string;
}

export function ConfusionTable({ rater, nameOf }: ConfusionTableProps) {
  const rows = rater.labels.map((label, index) => ({ label, counts: rater.confusion[index] ?? [] }));
  if (rows.every(({ counts }) => counts.every((count) => count === 0))) {
    return <p>{rater.without_own.words}</p>;
  }
  return (
    <Table
      caption="This annotator’s votes, compared with the label from other annotators"
      columns={columnsOf(rater, nameOf)}
      rows={rows}
      rowKey={(row) => row.label}
      file={{ name: `votes-by-outcome-${rater.pseudonym}`, signature: rater.signature }}
    />
  );
}

function columnsOf(rater: RaterDetail, nameOf: (label: string) => string): Column<Row>[] {
  const given = rater.labels.map((label, index): Column<Row> => ({
    key: label,
    header: `Chose “${nameOf(label)}”`,
    align: "end",
    cell: (row) => (
      <span className={row.label === label ? styles["equal"] : ""}>{formatCount(row.counts[index])}</span>
    ),
    csv: ({ counts }) => ({ [`said_${label}`]: counts[index] ?? 0 }),
  }));
  return [
    {
      key: "label",
      header: "Label from other annotators",
      cell: (row) => <LabelMark label={row.label} name={nameOf(row.label)} />,
      csv: (row) => ({ came_to: row.label }),
    },
    ...given,
  ];
}
