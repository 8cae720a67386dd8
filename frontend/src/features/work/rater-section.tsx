/** Each rater's work: what is in hand, what is done and what is left; pausing, and taking sheets back. */
import { post, read } from "../../api/client";
import type { PlannedRater } from "../../api/schema";
import { Button } from "../../components/button";
import { Section } from "../../components/page";
import { RelativeTime } from "../../components/relative-time";
import { type Column, numberColumn, Table } from "../../components/table";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { PauseRater } from "../../domain/pause-rater";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount } from "../../lib/numbers";
import { NAME, NobodyYet } from "./part-table";
import styles from "./work.module.css";

interface RaterSectionProps {
  readonly slug: string;
  readonly raters: readonly PlannedRater[];
}

export function RaterSection({ slug, raters }: RaterSectionProps) {
  const takingBack = useWrite(
    (rater: PlannedRater) =>
      post("/api/projects/{slug}/work/raters/{member_id}/take-back", { slug, member_id: rater.member_id }),
    {
      keeps: read("/api/projects/{slug}/work", { slug }).queryKey,
      note: (_, rater) => `Recalled ${countOf(rater.open_sheets, "sheet")} from ${rater.name}.`,
      refusal: "note",
    },
  );
  return (
    <Section title="Annotators">
      {raters.length === 0 ? (
        <NobodyYet />
      ) : (
        <Table
          folds
          caption="Work by annotator"
          columns={[...COLUMNS, actsColumn(slug, takingBack.mutate)]}
          rows={raters}
          rowKey={(rater) => rater.member_id}
          file={{ name: "work-by-annotator" }}
          note={
            <>
              Recalled sheets go to the next available annotator. That can be the same person again, unless
              you pause that person. If the first annotator submits a recalled sheet anyway, judgments of
              answers that have already gone to another annotator are{" "}
              <Term name="surplus">kept but do not count</Term>. Assay lets the first annotator know. The
              other judgments count.
            </>
          }
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<PlannedRater>[] = [
  NAME,
  numberColumn("judged", "Answers judged", (rater) => rater.judged_answers),
  numberColumn("left", "Remaining", (rater) => rater.left_answers),
  {
    key: "sheets",
    header: "Open sheets",
    align: "end",
    value: (rater) => rater.open_sheets,
    cell: ({ open_sheets: sheets, held_answers: answers }) =>
      sheets === 0 ? "0" : `${formatCount(sheets)} (${countOf(answers, "answer")})`,
    csv: ({ open_sheets: sheets, held_answers: answers }) => ({ open_sheets: sheets, open_answers: answers }),
  },
  {
    key: "open_since",
    header: "Open since",
    cell: ({ held_since: since }) => (since === null ? "–" : <RelativeTime at={since} />),
    value: ({ held_since: since }) => since,
  },
  {
    key: "expires",
    header: "Expires",
    cell: ({ held_until: until }) => (until === null ? "–" : <RelativeTime at={until} />),
    value: ({ held_until: until }) => until,
  },
];

function actsColumn(slug: string, takeBack: (rater: PlannedRater) => void): Column<PlannedRater> {
  return {
    key: "acts",
    header: <span className="visually-hidden">Actions</span>,
    cell: (rater) => (
      <span className={classNames("row", styles["acts"])}>
        {rater.open_sheets > 0 && (
          <Button
            size="small"
            aria-label={`Recall sheets from ${rater.name}`}
            onClick={() => takeBack(rater)}
          >
            Recall
          </Button>
        )}
        <PauseRater slug={slug} id={rater.member_id} name={rater.name} state={rater.state} />
      </span>
    ),
  };
}
