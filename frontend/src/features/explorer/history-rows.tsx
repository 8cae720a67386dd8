/** The parts of an answer's history, one row an event. */
import type { AnswerHistory } from "../../api/schema";
import { Badge } from "../../components/badge";
import { RelativeTime } from "../../components/relative-time";
import { sourceWords, stepWords } from "../../domain/decisions";
import { LabelMark, labelName } from "../../domain/labels";
import { capitalized } from "../../lib/lists";
import { formatDuration } from "../../lib/time";
import styles from "./explorer.module.css";

export function PredictionRows({ predictions }: Pick<AnswerHistory, "predictions">) {
  if (predictions === null)
    return <p className="soft-regular">In this project, adjudicators cannot see systems.</p>;
  if (predictions.length === 0)
    return <p className="soft-regular">No system gave this answer; it was imported with human votes.</p>;
  return (
    <ul className="ruled">
      {predictions.map((prediction) => (
        <li key={prediction.system} className={styles["row"]}>
          <span>{prediction.system}</span>
          <span className={styles["rowText"]}>
            <span dir="auto">{prediction.text}</span>
            {prediction.raw !== null && (
              <span className="soft-regular">
                Imported text: <span dir="auto">{prediction.raw}</span>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

type Passage = AnswerHistory["question"]["passages"][number];

/** Whose a passage is, and whether its file says that it holds the answer. */
export function PassageNote({ passage }: { readonly passage: Passage }) {
  const words = [
    passage.is_given ? "given with the question" : "",
    passage.is_gold === null ? "" : passage.is_gold ? "marked as relevant" : "marked as not relevant",
    passage.retrieved_by.length > 0
      ? `retrieved by ${passage.retrieved_by.map(({ system, rank }) => `${system} (rank ${rank})`).join(", ")}`
      : "",
  ].filter((part) => part !== "");
  return <p className="soft-regular">{capitalized(words.join("; "))}.</p>;
}

interface VoteRowsProps extends Pick<AnswerHistory, "votes"> {
  /** When the question was last corrected, or null. */
  readonly correctedAt: string | null;
}

export function VoteRows({ votes, correctedAt }: VoteRowsProps) {
  if (votes.length === 0) return <p className="soft-regular">Nobody has judged this answer yet.</p>;
  return (
    <ul className="ruled">
      {votes.map((vote) => (
        <li key={`${vote.letter} ${vote.at}`} className={styles["row"]}>
          <span className={styles["voteHead"]}>
            {vote.letter} <LabelMark label={vote.label} />
          </span>
          <span className={styles["rowText"]}>
            {vote.comment && <span dir="auto">{vote.comment}</span>}
            {vote.evidence_quote && <q dir="auto">{vote.evidence_quote}</q>}
            {vote.evidence_url && <span className="soft-regular">{vote.evidence_url}</span>}
            {vote.revisions.map((revision) => (
              <span key={revision.at} className="soft-regular">
                Previous label: {labelName(revision.label)} <RelativeTime at={revision.at} />
              </span>
            ))}
            {correctedAt !== null && new Date(vote.at) < new Date(correctedAt) && (
              <span className="soft-regular">Given before the question was corrected</span>
            )}
            {!vote.counted && (
              <span>
                <Badge>Not counted</Badge>
              </span>
            )}
          </span>
          <span className="soft-regular">
            {vote.seconds !== null && `${formatDuration(vote.seconds)} · `}
            <RelativeTime at={vote.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Who passed the answer over, and why. */
export function SkipRows({ skips }: Pick<AnswerHistory, "skips">) {
  if (skips.length === 0) return null;
  return (
    <ul className="ruled">
      {skips.map((skip, index) => (
        <li key={`${index} ${skip.at}`} className={styles["row"]}>
          <span>Skipped</span>
          <span dir="auto">{skip.reason}</span>
          <span className="soft-regular">{skip.at && <RelativeTime at={skip.at} />}</span>
        </li>
      ))}
    </ul>
  );
}

/** What no certificate and no audit says. */
const SETTLED_ALONE =
  "A certificate and its audit cover all settled answers together. They guarantee nothing about any individual answer.";

export function DecisionRows({ decisions }: Pick<AnswerHistory, "decisions">) {
  if (decisions.length === 0) return <p className="soft-regular">No decision yet.</p>;
  return (
    <ol className="ruled">
      {decisions.map((decision) => (
        <li key={decision.number} className={styles["row"]}>
          <span>{decision.is_reopening ? stepWords(decision) : <LabelMark label={decision.label} />}</span>
          <span className={styles["rowText"]}>
            <span>
              {decision.by ? `by ${decision.by}` : sourceWords(decision.source)}
              {decision.category && ` · ${decision.category.replaceAll("_", " ")}`}
            </span>
            {decision.reason && <q dir="auto">{decision.reason}</q>}
            {decision.source === "prejudged" && <span className="soft-regular">{SETTLED_ALONE}</span>}
          </span>
          <span className="soft-regular">
            <RelativeTime at={decision.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

export function GoldRows({ changes }: { readonly changes: AnswerHistory["gold_changes"] }) {
  if (changes.length === 0) return <p className="soft-regular">This answer has not changed the gold list.</p>;
  return (
    <ul className="ruled">
      {changes.map((change) => (
        <li key={change.id} className={styles["row"]}>
          <span>{change.action === "added" ? "Added" : "Removed"}</span>
          <span className={styles["rowText"]}>
            <span dir="auto">{change.text}</span>
            {change.undone_at && (
              <span>
                <Badge>Undone</Badge> <span dir="auto">{change.undo_reason}</span>
              </span>
            )}
          </span>
          <span className="soft-regular">
            <RelativeTime at={change.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
