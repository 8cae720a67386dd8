/** Everything a decision on one answer rests on, and the decision itself. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { QueueDetail } from "../../api/contract";
import { AnswerText } from "../../components/answer-text";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Skeleton } from "../../components/skeleton";
import { Decided } from "./decided";
import { DecisionForm } from "./decision-form";
import { DecisionHistory } from "./decision-history";
import styles from "./dossier.module.css";
import pageStyles from "./queue-page.module.css";
import { SendBack } from "./send-back";
import { Siblings } from "./siblings";
import type { LastDecision } from "./use-last-decision";
import type { QueueWork } from "./use-queue";
import { VerdictPeek } from "./verdict-peek";
import { Votes } from "./votes";
import { reasonWords } from "./words";

interface DossierProps {
  readonly slug: string;
  readonly id: string;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function Dossier({ slug, id, work, last }: DossierProps) {
  const query = useQuery(
    read(
      "/api/projects/{slug}/queue/{candidate}",
      { slug, candidate: id },
      work.systems === undefined ? {} : { systems: work.systems },
    ),
  );
  return (
    <article className={styles["dossier"]}>
      <Button
        size="small"
        variant="quiet"
        className={pageStyles["back"] ?? ""}
        onClick={() => work.select(null)}
      >
        Back to the queue
      </Button>
      <QueryView query={query} loading={<Skeleton lines={7} height={2} />}>
        {(detail) => (
          <>
            <Heading detail={detail} />
            <Decided detail={detail} work={work} last={last} />
            <Votes votes={detail.votes} skips={detail.skips} />
            <DecisionForm slug={slug} detail={detail} work={work} last={last} />
            <SendBack slug={slug} detail={detail} work={work} last={last} />
            <VerdictPeek slug={slug} id={id} />
            <Siblings siblings={detail.siblings} onSelect={work.select} />
            <DecisionHistory history={detail.history} />
          </>
        )}
      </QueryView>
    </article>
  );
}

function Heading({ detail }: { readonly detail: QueueDetail }) {
  return (
    <header className={styles["heading"]}>
      <p className={styles["question"]} dir="auto">
        {detail.question.text}
      </p>
      <p className={styles["gold"]}>
        <span className={styles["name"]}>Gold</span>{" "}
        <span dir="auto">{detail.question.gold.join(" · ") || "none"}</span>
      </p>
      <AnswerText as="h2" text={detail.answer} />
      {detail.systems && (
        <p className={styles["gold"]}>
          <span className={styles["name"]}>Systems</span>{" "}
          <span dir="auto">{detail.systems.join(" · ") || "none"}</span>
        </p>
      )}
      {detail.reason && <p className={styles["reason"]}>{reasonWords(detail.reason)}</p>}
      <p className={styles["reason"]}>
        <ProjectLink page={`answers/${detail.id}`}>Its whole history</ProjectLink>
      </p>
      {detail.flags.map((flag) => (
        <Notice key={`${flag.kind} ${flag.note}`} tone="warning">
          <p>
            A rater flagged the question: {flag.kind.replaceAll("_", " ")}
            {flag.note && (
              <>
                , <q dir="auto">{flag.note}</q>
              </>
            )}
          </p>
        </Notice>
      ))}
    </header>
  );
}
