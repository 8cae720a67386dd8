/** What lies in raters' hands, since when and until when, and how to get it back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post, read } from "../../api/client";
import type { PlannedRater } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Section } from "../../components/page";
import { PauseRater } from "../../components/pause-rater";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useToast } from "../../components/toast";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./work.module.css";

interface HandsProps {
  readonly slug: string;
  readonly raters: readonly PlannedRater[];
}

export function Hands({ slug, raters }: HandsProps) {
  const takingBack = useTakeBack(slug);
  const present = raters.filter((rater) => rater.state !== "left" || rater.open_sheets > 0);
  if (present.length === 0) return null;
  return (
    <Section title="In raters’ hands">
      <p className={styles["soft"]}>
        Sheets taken back go to whoever asks next, their rater too unless paused. What is still handed in
        counts where nobody has taken the place, and is kept uncounted elsewhere; the rater is told.
      </p>
      <Table
        folds
        caption="Sheets in raters’ hands"
        columns={columnsFor(slug, takingBack.mutate)}
        rows={present}
        rowKey={(rater) => rater.member_id}
      />
    </Section>
  );
}

function useTakeBack(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (rater: PlannedRater) =>
      post("/api/projects/{slug}/work/raters/{member_id}/take-back", { slug, member_id: rater.member_id }),
    onSuccess: (plan, rater) => {
      queryClient.setQueryData(read("/api/projects/{slug}/work", { slug }).queryKey, plan);
      toast({ text: `${countOf(rater.open_sheets, "sheet")} of ${rater.name} taken back.` });
    },
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
  });
}

function columnsFor(slug: string, takeBack: (rater: PlannedRater) => void): Column<PlannedRater>[] {
  return [
    {
      key: "name",
      header: "Rater",
      isRowHeader: true,
      cell: (rater) => (
        <span className={styles["name"]}>
          <span dir="auto">{rater.name}</span>
          {rater.state === "paused" && <Badge tone="warning">Paused</Badge>}
        </span>
      ),
    },
    { key: "sheets", header: "Sheets", align: "end", cell: (rater) => formatCount(rater.open_sheets) },
    { key: "answers", header: "Answers", align: "end", cell: (rater) => formatCount(rater.held_answers) },
    {
      key: "since",
      header: "Since",
      cell: (rater) => (rater.held_since === null ? "–" : <RelativeTime at={rater.held_since} />),
    },
    {
      key: "until",
      header: "Time runs out",
      cell: (rater) => (rater.held_until === null ? "–" : <RelativeTime at={rater.held_until} />),
    },
    {
      key: "acts",
      header: <span className="visually-hidden">What can be done</span>,
      cell: (rater) => (
        <span className={styles["acts"]}>
          {rater.open_sheets > 0 && (
            <Button
              size="small"
              aria-label={`Take back the sheets of ${rater.name}`}
              onClick={() => takeBack(rater)}
            >
              Take back
            </Button>
          )}
          <PauseRater slug={slug} id={rater.member_id} name={rater.name} state={rater.state} />
        </span>
      ),
    },
  ];
}
