/** A page of answers: what was asked and answered, by whom, how it was voted and decided. */
import type { AnswerLine } from "../../api/contract";
import { AnswerCell } from "../../components/answer-cell";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { type Column, Table } from "../../components/table";
import { countOf } from "../../lib/numbers";
import styles from "./explorer.module.css";
import { sourceWords, stateWords } from "./words";

const COLUMNS: readonly Column<AnswerLine>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
  },
  {
    key: "votes",
    header: "Votes",
    cell: (line) =>
      line.votes.length === 0 ? (
        "–"
      ) : (
        <span className={styles["votes"]}>
          {line.votes.map((vote, index) => (
            <span key={`${vote.letter} ${index}`} className={styles["vote"]}>
              {vote.letter}
              <LabelMark label={vote.label} compact />
            </span>
          ))}
        </span>
      ),
  },
  {
    key: "decision",
    header: "Decision",
    cell: (line) =>
      line.label ? (
        <span className={styles["decision"]}>
          <LabelMark label={line.label} />
          <span className={styles["soft"]}>{sourceWords(line.source)}</span>
        </span>
      ) : (
        <Badge tone={stateWords(line.state).tone}>{stateWords(line.state).words}</Badge>
      ),
  },
  {
    key: "systems",
    header: "Given by",
    cell: ({ systems }) => (
      <span title={systems?.join(", ")}>
        {systems && systems.length > 2 ? countOf(systems.length, "system") : systems?.join(", ") || "–"}
      </span>
    ),
  },
];

export function AnswerTable({ answers }: { readonly answers: readonly AnswerLine[] }) {
  const areHidden = answers.some(({ systems }) => systems === null);
  const columns = areHidden ? COLUMNS.filter(({ key }) => key !== "systems") : COLUMNS;
  return <Table folds caption="Answers" columns={columns} rows={answers} rowKey={(line) => line.id} />;
}
