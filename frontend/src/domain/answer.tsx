/** An answer in a cell and in a text; a system may have said nothing. */
import { ProjectLink } from "../components/project-link";
import { t } from "../lib/i18n/t";
import styles from "./answer.module.css";

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

interface AnswerTextProps {
  readonly as?: "h1" | "h2" | "p";
  readonly text: string;
}

export function AnswerText({ as: Tag = "p", text }: AnswerTextProps) {
  return (
    <Tag className={styles["text"]} dir="auto">
      {answerWords(text)}
    </Tag>
  );
}

export function answerWords(text: string): string {
  return text.trim() === "" ? t("(empty)") : text;
}
