/** A page of answers: what was asked and answered, by whom, how it was voted and decided. */
import type { AnswerLine } from "../../api/contract";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { countOf } from "../../lib/numbers";
import styles from "./explorer.module.css";
import { sourceWords, stateWords } from "./words";

const COLUMNS: readonly Column<AnswerLine>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: (line) => (
      <span className={styles["answerCell"]}>
        <ProjectLink page={`answers/${line.id}`}>
          <span dir="auto">{line.answer || "(empty)"}</span>
        </ProjectLink>
        <span className={styles["question"]} dir="auto">
          {line.question}
        </span>
      </span>
    ),
  },
  {
    key: "votes",
    header: "Votes",
    cell: (line) => (
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
    cell: (line) => (
      <span title={line.systems.join(", ")}>
        {line.systems.length > 2 ? countOf(line.systems.length, "system") : line.systems.join(", ") || "–"}
      </span>
    ),
  },
];

export function AnswerTable({ answers }: { readonly answers: readonly AnswerLine[] }) {
  return <Table caption="Answers" columns={COLUMNS} rows={answers} rowKey={(line) => line.id} />;
}
