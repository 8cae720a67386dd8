/** What a program proposes for an item, beside the tags: taken over only on purpose, by its own key. */
import type { RoundDetail, TaggedItem } from "../../api/schema";
import { Button } from "../../components/button";
import { PROPOSAL_KEY } from "./commands";
import styles from "./failures.module.css";
import { proposerOf } from "./words";

interface ProposedProps {
  readonly proposal: NonNullable<TaggedItem["proposal"]>;
  readonly round: RoundDetail;
  readonly onAccept: () => void;
}

export function Proposed({ proposal, round, onAccept }: ProposedProps) {
  const names = round.tags.filter(({ key }) => proposal.tags.includes(key)).map(({ name }) => name);
  if (proposal.failure) {
    return (
      <p className={styles["soft"]}>
        {proposerOf(proposal.signature)} could not propose a tag: {proposal.failure.replaceAll("_", " ")}.
      </p>
    );
  }
  return (
    <div className={styles["line"]} title={proposal.signature}>
      <p className={styles["soft"]}>
        {proposerOf(proposal.signature)} proposed <strong>{names.join(", ")}</strong>
        {proposal.reason && (
          <>
            : <span dir="auto">{proposal.reason}</span>
          </>
        )}
      </p>
      <Button size="small" hint={PROPOSAL_KEY} onClick={onAccept}>
        Take what is proposed
      </Button>
    </div>
  );
}
