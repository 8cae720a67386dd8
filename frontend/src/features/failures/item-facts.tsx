/** What a tag rests on: question, gold, the answer with who gave it, and the judge's verdict. */
import type { TaggedItem, TaggingRoundDetail } from "../../api/contract";
import { Badge } from "../../components/badge";
import { ProjectLink } from "../../components/project-link";
import { AnswerText } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { formatCoefficient } from "../../lib/numbers";
import styles from "./failures.module.css";

interface ItemFactsProps {
  readonly item: TaggedItem;
  readonly place: number;
  readonly round: TaggingRoundDetail;
}

export function ItemFacts({ item, place, round }: ItemFactsProps) {
  return (
    <section className={styles["facts"]} aria-label={`Item ${place} of ${round.total}`}>
      <p className={styles["soft"]}>
        Item {place} of {round.total}
        {item.flags.length > 0 && ` · raters flagged: ${item.flags.join(", ").replaceAll("_", " ")}`}
      </p>
      <h2 className={styles["question"]} dir="auto">
        {item.question}
      </h2>
      <p className={styles["soft"]}>
        Gold: <span dir="auto">{item.gold.join(" · ") || "none"}</span>
      </p>
      {item.answer !== null && <Answer item={item} />}
      {item.verdict && <Verdict verdict={item.verdict} judge={round.judge} />}
    </section>
  );
}

function Answer({ item }: { readonly item: TaggedItem }) {
  return (
    <>
      <AnswerText text={item.answer ?? ""} />
      <p className={styles["line"]}>
        {item.label && (
          <>
            People: <LabelMark label={item.label} />
          </>
        )}
        <span className={styles["soft"]}>{item.systems?.join(", ")}</span>
        <ProjectLink page={`answers/${item.answer_id}`}>Its whole history</ProjectLink>
      </p>
    </>
  );
}

interface VerdictProps {
  readonly verdict: NonNullable<TaggedItem["verdict"]>;
  readonly judge: string;
}

function Verdict({ verdict, judge }: VerdictProps) {
  return (
    <div className={styles["verdict"]}>
      <p className={styles["line"]}>
        <strong>{judge}</strong>
        <Badge>{verdict.accepted ? "Accepts" : "Rejects"}</Badge>
        {verdict.score !== null && (
          <span className={styles["soft"]}>score {formatCoefficient(verdict.score)}</span>
        )}
      </p>
      {verdict.raw_reply && (
        <pre className={styles["reply"]} dir="auto">
          {verdict.raw_reply}
        </pre>
      )}
    </div>
  );
}
