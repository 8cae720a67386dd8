/** The votes side by side, raters as letters, with what they left beside them. */
import type { FullVote, QueueDetail } from "../../api/contract";
import { LabelMark } from "../../components/label-mark";
import { isWebAddress } from "../../lib/web-address";
import styles from "./dossier.module.css";
import { roundWords } from "./words";

export function Votes({ votes, skips }: Pick<QueueDetail, "votes" | "skips">) {
  return (
    <section className={styles["part"]}>
      <h3>Votes</h3>
      {votes.length === 0 && <p>Nobody could judge this answer.</p>}
      {skips.length > 0 && (
        <ul className={styles["skips"]}>
          {skips.map((skip, index) => (
            <li key={`${index} ${skip.at}`}>
              A rater passed it over{skip.reason ? ": " : "."}
              {skip.reason && <q dir="auto">{skip.reason}</q>}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles["votes"]}>
        {votes.map((vote) => (
          <VoteColumn key={`${vote.letter} ${vote.round}`} vote={vote} />
        ))}
      </ul>
    </section>
  );
}

function VoteColumn({ vote }: { readonly vote: FullVote }) {
  const round = roundWords(vote.round);
  return (
    <li className={styles["vote"]}>
      <p className={styles["voteHead"]}>
        <span className={styles["letter"]}>{vote.letter}</span>
        <LabelMark label={vote.label} />
      </p>
      {round && <p className={styles["soft"]}>{round}</p>}
      {!vote.counted && <p className={styles["soft"]}>not counted</p>}
      {vote.comment && <p dir="auto">{vote.comment}</p>}
      {vote.evidence_quote && (
        <blockquote className={styles["quote"]} dir="auto">
          {vote.evidence_quote}
        </blockquote>
      )}
      {isWebAddress(vote.evidence_url) && (
        <p className={styles["soft"]}>
          <a href={vote.evidence_url} target="_blank" rel="noreferrer noopener">
            {new URL(vote.evidence_url).hostname}
          </a>
        </p>
      )}
    </li>
  );
}
