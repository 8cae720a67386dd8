/** Everything a decision on one answer rests on, and the decision itself. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { Decision, Dossier as QueueDetail, DossierVote } from "../../api/schema";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { AnswerText, answerWords } from "../../domain/answer";
import { sourceWords, stepWords } from "../../domain/decisions";
import { flagName } from "../../domain/flags";
import { LabelMark, labelName } from "../../domain/labels";
import { VerdictList } from "../../domain/verdict-list";
import { isWebAddress } from "../../lib/addresses";
import { useCommands } from "../../lib/use-commands";
import { verdictCommand } from "./commands";
import type { Deciding } from "./deciding";
import { DecisionForm, type LastDecision } from "./decision-form";
import styles from "./dossier.module.css";
import { categoryWords, dossierQuery, openCount, type QueueWork, reasonWords, roundWords } from "./queue";
import pageStyles from "./queue.module.css";
import { SendBack } from "./send-back";

interface DossierProps {
  readonly slug: string;
  readonly id: string;
  readonly work: QueueWork;
  readonly last: LastDecision;
  readonly deciding: Deciding;
}

export function Dossier({ slug, id, work, last, deciding }: DossierProps) {
  const query = useQuery(dossierQuery(slug, id, work));
  return (
    <article className={styles["dossier"]}>
      <Button
        size="small"
        variant="quiet"
        atEdge
        className={pageStyles["back"] ?? ""}
        onClick={() => work.select(null)}
      >
        Back to the queue
      </Button>
      <QueryView query={query} loading={<Skeleton lines={7} height={2} />}>
        {(detail) => (
          <div className={styles["sides"]}>
            <div className={styles["evidence"]}>
              <Heading detail={detail} />
              <Decided detail={detail} work={work} last={last} />
              <Votes votes={detail.votes} skips={detail.skips} />
            </div>
            <div className={styles["decision"]}>
              <DecisionForm detail={detail} deciding={deciding} />
              <SendBack slug={slug} detail={detail} work={work} last={last} />
            </div>
            <div className={styles["more"]}>
              <VerdictPeek slug={slug} id={id} />
              <Siblings siblings={detail.siblings} onSelect={work.select} />
              <DecisionHistory history={detail.history} />
            </div>
          </div>
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
      <p className="ink-soft">
        <span className={styles["name"]}>Gold</span>{" "}
        <span dir="auto">{detail.question.gold.join(" · ") || "none"}</span>
      </p>
      <AnswerText as="h2" text={detail.answer} />
      {detail.systems && (
        <p className="ink-soft">
          <span className={styles["name"]}>Systems</span>{" "}
          <span dir="auto">{detail.systems.join(" · ") || "none"}</span>
        </p>
      )}
      {detail.reason && <p className="soft">{reasonWords(detail.reason)}</p>}
      <p className="soft">
        <ProjectLink page={`answers/${detail.id}`}>View full history</ProjectLink>
      </p>
      {detail.flags.map((flag) => (
        <Notice key={`${flag.kind} ${flag.note}`} tone="warning">
          <p>
            An annotator flagged the question: {flagName(flag.kind).toLowerCase()}
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

function Votes({ votes, skips }: Pick<QueueDetail, "votes" | "skips">) {
  return (
    <section className={styles["part"]}>
      <h3>Votes</h3>
      {votes.length === 0 && <p>No annotator could judge this answer.</p>}
      {skips.length > 0 && (
        <ul className={styles["skips"]}>
          {skips.map((skip, index) => (
            <li key={`${index} ${skip.at}`}>
              An annotator skipped this answer{skip.reason ? ": " : "."}
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

function VoteColumn({ vote }: { readonly vote: DossierVote }) {
  const round = roundWords(vote.round);
  return (
    <li className={styles["vote"]}>
      <p className={styles["voteHead"]}>
        <span className="ink-soft">{vote.letter}</span>
        <LabelMark label={vote.label} />
      </p>
      {round && <p className="soft">{round}</p>}
      {!vote.counted && <p className="soft">not counted</p>}
      {vote.comment && <p dir="auto">{vote.comment}</p>}
      {vote.evidence_quote && (
        <blockquote className={styles["quote"]} dir="auto">
          {vote.evidence_quote}
        </blockquote>
      )}
      {isWebAddress(vote.evidence_url) && (
        <p className="soft">
          <a href={vote.evidence_url} target="_blank" rel="noreferrer noopener">
            {new URL(vote.evidence_url).hostname}
          </a>
        </p>
      )}
    </li>
  );
}

interface VerdictPeekProps {
  readonly slug: string;
  readonly id: string;
}

function VerdictPeek({ slug, id }: VerdictPeekProps) {
  const [open, setOpen] = useState(false);
  const query = useQuery({
    ...read("/api/projects/{slug}/answers/{candidate}", { slug, candidate: id }),
    enabled: open,
  });
  const toggle = () => setOpen((before) => !before);
  useCommands([verdictCommand(toggle)]);
  return (
    <section className={styles["part"]}>
      <div>
        <Button size="small" hint="v" aria-expanded={open} onClick={toggle}>
          {open ? "Hide judges’ verdicts" : "Show judges’ verdicts"}
        </Button>
      </div>
      {open && (
        <QueryView query={query}>
          {(answer) => <VerdictList verdicts={answer.verdicts} answer={answer.answer} />}
        </QueryView>
      )}
    </section>
  );
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  open: "not decided yet",
  disputed: "waiting for a decision",
  decided: "decided",
};

interface SiblingsProps {
  readonly siblings: QueueDetail["siblings"];
  readonly onSelect: (id: string) => void;
}

function Siblings({ siblings, onSelect }: SiblingsProps) {
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
                <span className="soft">{STATE_WORDS[sibling.state] ?? sibling.state}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecidedProps {
  readonly detail: QueueDetail;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

function Decided({ detail, work, last }: DecidedProps) {
  if (detail.decision === null) return null;
  const isLast = work.handled.at(-1) === detail.id;
  return (
    <Notice
      tone={isLast ? "success" : "info"}
      actions={
        isLast && (
          <Button size="small" hint="u" onClick={() => void last.undo()}>
            Undo
          </Button>
        )
      }
    >
      <p>
        Decided: {labelName(detail.decision.label)}.
        {isLast && openCount(work.lines) === 0 && " No other answers here are waiting for a decision."}
      </p>
    </Notice>
  );
}

function DecisionHistory({ history }: { readonly history: readonly Decision[] }) {
  if (history.length === 0) return null;
  return (
    <section className={styles["part"]}>
      <h3>Decision history</h3>
      <ol className={styles["history"]}>
        {history.map((decision) => (
          <li key={decision.number}>
            {decision.is_reopening ? stepWords(decision) : <LabelMark label={decision.label} />}{" "}
            <span className="soft">
              {decision.by ? `by ${decision.by}` : sourceWords(decision.source)}
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
