/** The hidden known answers that a rater got wrong, the latest first. */
import type { RaterDetail } from "../../api/schema";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";

type Miss = RaterDetail["known_misses"][number];

interface MissTableProps {
  readonly rater: RaterDetail;
  readonly nameOf: (label: string) => string;
}

export function MissTable({ rater, nameOf }: MissTableProps) {
  return (
    <Table
      folds
      caption="Known answers that were missed"
      columns={columnsOf(nameOf)}
      rows={rater.known_misses}
      rowKey={(miss) => miss.answer}
      file={{
        name: `known-answers-missed-${rater.pseudonym}`,
        lines: rater.known_misses.map(csvOf),
        signature: rater.signature,
      }}
    />
  );
}

function csvOf({ question, text, label, known, at }: Miss) {
  return { question, answer: text, said: label, known, at };
}

function columnsOf(nameOf: (label: string) => string): Column<Miss>[] {
  return [
    {
      key: "answer",
      header: "Answer",
      isRowHeader: true,
      cell: ({ answer, text, question }) => <AnswerCell id={answer} answer={text} question={question} />,
    },
    { key: "said", header: "Said", cell: ({ label }) => <LabelMark label={label} name={nameOf(label)} /> },
    { key: "known", header: "Known", cell: ({ known }) => <LabelMark label={known} name={nameOf(known)} /> },
    { key: "at", header: "When", align: "end", cell: ({ at }) => <RelativeTime at={at} /> },
  ];
}
