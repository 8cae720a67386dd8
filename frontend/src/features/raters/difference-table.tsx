/** The answers on which a rater differs, the latest first, each one click from its whole history. */
import type { RaterDetail } from "../../api/schema";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { countOf } from "../../lib/numbers";
import styles from "./raters.module.css";

type Difference = RaterDetail["differences"][number];

interface DifferenceTableProps {
  readonly rater: RaterDetail;
  readonly nameOf: (label: string) => string;
}

export function DifferenceTable({ rater, nameOf }: DifferenceTableProps) {
  const { differences, difference_count: count } = rater;
  if (count === 0) return <p>Nowhere yet.</p>;
  return (
    <>
      {count > differences.length && (
        <p className={styles["soft"]}>
          The latest {differences.length} of {countOf(count, "answer")}.
        </p>
      )}
      <Table
        folds
        caption="Answers on which this rater differs"
        columns={columnsOf(nameOf)}
        rows={differences}
        rowKey={(difference) => difference.answer}
        file={{
          name: `differs-${rater.pseudonym}`,
          lines: differences.map(csvOf),
          signature: rater.signature,
        }}
      />
    </>
  );
}

function csvOf({ question, text, label, without, at }: Difference) {
  return { question, answer: text, said: label, came_to: without, at };
}

function columnsOf(nameOf: (label: string) => string): Column<Difference>[] {
  return [
    {
      key: "answer",
      header: "Answer",
      isRowHeader: true,
      cell: ({ answer, text, question }) => <AnswerCell id={answer} answer={text} question={question} />,
    },
    {
      key: "label",
      header: "Said",
      cell: ({ label }) => <LabelMark label={label} name={nameOf(label)} />,
    },
    {
      key: "without",
      header: "It came to",
      cell: ({ without }) => <LabelMark label={without} name={nameOf(without)} />,
    },
    { key: "at", header: "When", align: "end", cell: ({ at }) => <RelativeTime at={at} /> },
  ];
}
