/** The other answers to the same question, so that decisions are consistent. */
import type { QueueDetail } from "../../api/contract";
import { LabelMark } from "../../components/label-mark";
import { answerWords } from "../../lib/answer-words";
import styles from "./dossier.module.css";

const STATE_WORDS: Readonly<Record<string, string>> = {
  open: "not decided yet",
  disputed: "waits for a decision",
  decided: "decided",
};

interface SiblingsProps {
  readonly siblings: QueueDetail["siblings"];
  readonly onSelect: (id: string) => void;
}

export function Siblings({ siblings, onSelect }: SiblingsProps) {
  if (siblings.length === 0) return null;
  return (
    <section className={styles["part"]}>
      <h3>Other answers to this question</h3>
      <ul className={styles["siblings"]}>
        {siblings.map((sibling) => (
          <li key={sibling.id}>
            <button type="button" className={styles["sibling"]} onClick={() => onSelect(sibling.id)}>
              <span dir="auto">{answerWords(sibling.answer)}</span>
              {sibling.label ? (
                <LabelMark label={sibling.label} />
              ) : (
                <span className={styles["soft"]}>{STATE_WORDS[sibling.state] ?? sibling.state}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
