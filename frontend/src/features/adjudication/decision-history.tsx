/** What was decided about this answer before. */
import type { Decision } from "../../api/contract";
import { LabelMark } from "../../components/label-mark";
import { RelativeTime } from "../../components/relative-time";
import { stepWords } from "../../lib/decision-words";
import styles from "./dossier.module.css";
import { categoryWords } from "./words";

export function DecisionHistory({ history }: { readonly history: readonly Decision[] }) {
  if (history.length === 0) return null;
  return (
    <section className={styles["part"]}>
      <h3>Decisions so far</h3>
      <ol className={styles["history"]}>
        {history.map((decision) => (
          <li key={decision.number}>
            {decision.is_reopening ? stepWords(decision) : <LabelMark label={decision.label} />}{" "}
            <span className={styles["soft"]}>
              {decision.by ? `by ${decision.by}` : `by rule: ${decision.source}`}
              {decision.category && `, ${categoryWords(decision.category).toLowerCase()}`}
              {decision.reason && (
                <>
                  , <q dir="auto">{decision.reason}</q>
                </>
              )}{" "}
              <RelativeTime at={decision.at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
