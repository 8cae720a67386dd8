/** What was said of an item so far, newest first, and by whom. */
import type { TaggedItem, TaggingRoundDetail } from "../../api/contract";
import { RelativeTime } from "../../components/relative-time";
import styles from "./failures.module.css";

interface TagHistoryProps {
  readonly item: TaggedItem;
  readonly round: TaggingRoundDetail;
}

type Said = TaggedItem["history"][number];

function wordsOf(said: Said, round: TaggingRoundDetail): string {
  if (said.is_withdrawal) return "taken back";
  const names = said.tags.map((key) => round.tags.find((tag) => tag.key === key)?.name ?? key);
  return [...names, ...(said.is_unattributable ? ["unattributable"] : [])].join(", ");
}

export function TagHistory({ item, round }: TagHistoryProps) {
  if (item.history.length === 0) return null;
  return (
    <section aria-label="What was said before">
      <ul className={styles["history"]}>
        {item.history.map((said) => (
          <li key={said.number} className={styles["soft"]}>
            {said.by}, <RelativeTime at={said.at} />: {wordsOf(said, round)}
            {said.note && (
              <>
                , <q dir="auto">{said.note}</q>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
