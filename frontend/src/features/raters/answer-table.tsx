/** Answers of which a rater said something else, the latest first, each one click from its whole history. */
import type { RaterDetail } from "../../api/schema";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";

interface Row extends Pick<
  RaterDetail["differences"][number],
  "answer" | "question" | "text" | "label" | "at"
> {
  /** What it came to, or what it is known to be. */
  readonly other: string;
}

interface AnswerTableProps {
  readonly caption: string;
  /** The file's. */
  readonly name: string;
  readonly rater: RaterDetail;
  readonly rows: readonly Row[];
  readonly other: { readonly key: string; readonly header: string };
  readonly nameOf: (label: string) => string;
}

export function AnswerTable({ caption, name, rater, rows, other, nameOf }: AnswerTableProps) {
  const labelColumn = (key: string, header: string, labelOf: (row: Row) => string): Column<Row> => ({
    key,
    header,
    cell: (row) => <LabelMark label={labelOf(row)} name={nameOf(labelOf(row))} />,
    csv: (row) => ({ [key]: labelOf(row) }),
  });
  return (
    <Table
      folds
      caption={caption}
      columns={[
        ANSWER,
        labelColumn("said", "This annotator’s label", ({ label }) => label),
        labelColumn(other.key, other.header, (row) => row.other),
        AT,
      ]}
      rows={rows}
      rowKey={({ answer }) => answer}
      file={{ name: `${name}-${rater.pseudonym}`, signature: rater.signature }}
    />
  );
}

const ANSWER: Column<Row> = {
  key: "answer",
  header: "Answer",
  cell: ({ answer, text, question }) => <AnswerCell id={answer} answer={text} question={question} />,
  csv: ({ question, text }) => ({ question, answer: text }),
};
const AT: Column<Row> = {
  key: "at",
  header: "Judged",
  align: "end",
  cell: ({ at }) => <RelativeTime at={at} />,
  csv: ({ at }) => ({ at }),
};
