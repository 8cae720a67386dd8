/** Decisions of the lead's other projects on the same answers: offered, looked at, taken over, given back. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { ReusableAnswer, Reuse, ReuseOffer } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Refusal } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./import.module.css";

export function ReuseSection({ slug }: { readonly slug: string }) {
  const { data } = useQuery(read("/api/projects/{slug}/reuse", { slug }));
  if (!data || (data.offers.length === 0 && data.reused.length === 0)) return null;
  return (
    <Section title="Decisions from other projects">
      <p>
        People decided these answers in your other projects that use equivalent labels. Answers that someone
        in this project has opened, judged, or decided are left out.
      </p>
      <EntryList>
        {data.offers.map((offer) => (
          <OfferEntry key={offer.project} slug={slug} offer={offer} />
        ))}
        {data.reused.map((reused) => (
          <ReusedEntry key={reused.project} slug={slug} reused={reused} />
        ))}
      </EntryList>
    </Section>
  );
}

function OfferEntry({ slug, offer }: { readonly slug: string; readonly offer: ReuseOffer }) {
  const [isOpen, setIsOpen] = useState(false);
  const reuse = useWrite(() => post("/api/projects/{slug}/reuse", { slug }, { project: offer.project }), {
    note: `Copied decisions from “${offer.name}.”`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
  });
  return (
    <Entry>
      <EntryHead>
        <h3>{offer.name}</h3>
        <span className="soft-regular">{offerWords(offer)}</span>
      </EntryHead>
      <Refusal error={reuse.error} />
      <div className={styles["actions"]}>
        <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide answers" : "Show answers"}
        </Button>
        {offer.answers > 0 && (
          <Button size="small" variant="primary" busy={reuse.isPending} onClick={() => reuse.mutate()}>
            {`Copy ${countOf(offer.answers, "decision")}`}
          </Button>
        )}
      </div>
      {isOpen && <ReusePreview slug={slug} project={offer.project} />}
    </Entry>
  );
}

function offerWords({ answers, contested }: ReuseOffer): string {
  const decided = `${countOf(answers, "answer")} decided in that project`;
  return contested === 0
    ? decided
    : `${decided}; ${countOf(contested, "answer")} left out because decisions differ`;
}

interface ReusedProps {
  readonly slug: string;
  readonly reused: Reuse["reused"][number];
}

function ReusedEntry({ slug, reused }: ReusedProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Entry>
      <EntryHead>
        <h3>{reused.project}</h3>
        <span className="soft-regular">
          {countOf(reused.answers, "decision")} copied <RelativeTime at={reused.at} />
        </span>
      </EntryHead>
      <div className={styles["actions"]}>
        <Button size="small" onClick={() => setIsAsking(true)}>
          Reopen answers
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Reopen these answers?"
          confirm="Reopen answers"
          reasonLabel="Reason"
          onConfirm={(reason) =>
            post("/api/projects/{slug}/reuse/undo", { slug }, { project: reused.project, reason })
          }
          stale={[keyOf("/api/projects/{slug}", { slug })]}
          onClose={() => setIsAsking(false)}
        >
          <p>
            This reopens {countOf(reused.answers, "answer")} with decisions copied from {reused.project}. The
            history keeps those decisions. Decisions that people made later are kept.
          </p>
        </ConfirmDialog>
      )}
    </Entry>
  );
}

const COLUMNS: readonly Column<ReusableAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
  },
  {
    key: "label",
    header: "New decision",
    cell: (row) =>
      row.label === null ? <Badge tone="warning">Decisions differ</Badge> : <LabelMark label={row.label} />,
  },
];

function ReusePreview({ slug, project }: { readonly slug: string; readonly project: string }) {
  const query = useQuery(read("/api/projects/{slug}/reuse/preview", { slug }, { project }));
  return (
    <QueryView query={query}>
      {({ answers, total }) => (
        <>
          <Table
            folds
            caption="Answers decided in that project"
            columns={COLUMNS}
            rows={answers}
            rowKey={(row) => row.id}
          />
          {total > answers.length && (
            <p className="soft-regular">
              Showing the first {formatCount(answers.length)} of {countOf(total, "answer")}.
            </p>
          )}
        </>
      )}
    </QueryView>
  );
}
