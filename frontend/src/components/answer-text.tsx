/** The answer that a page is about. */
import { answerWords } from "../lib/answer-words";
import styles from "./answer-text.module.css";

interface AnswerTextProps {
  readonly as?: "h1" | "h2" | "p";
  readonly text: string;
}

export function AnswerText({ as: Tag = "p", text }: AnswerTextProps) {
  return (
    <Tag className={styles["answer"]} dir="auto">
      {answerWords(text)}
    </Tag>
  );
}
