/** An answer in a table: the way to its whole history, where all of a long one stands, and the question below. */
import { answerWords } from "../lib/answer-words";
import styles from "./answer-cell.module.css";
import { ProjectLink } from "./project-link";

interface AnswerCellProps {
  readonly id: string;
  readonly answer: string;
  readonly question: string;
}

export function AnswerCell({ id, answer, question }: AnswerCellProps) {
  return (
    <span className={styles["answer"]}>
      <ProjectLink page={`answers/${id}`}>
        <span className={styles["text"]} dir="auto">
          {answerWords(answer)}
        </span>
      </ProjectLink>
      <span className={styles["question"]} dir="auto">
        {question}
      </span>
    </span>
  );
}
