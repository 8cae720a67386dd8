/** The pilot that goes on: how far each rater is, and how to end it. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Pilot, PilotEnd } from "../../api/contract";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { Notice } from "../../components/notice";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { countOf } from "../../lib/numbers";
import styles from "./work.module.css";

type Outcome = PilotEnd["outcome"];

const OUTCOMES = [
  {
    outcome: "again",
    act: "End it, judge them again",
    words:
      "Everybody goes on with the work. The pilot’s questions are part of it and are judged anew, by whoever comes; what was said in the pilot stays with the pilot.",
  },
  {
    outcome: "left_out",
    act: "End it, leave them out",
    words:
      "Everybody goes on with the work. The pilot’s questions leave the sample for good: they are not judged, and no score counts them.",
  },
] as const satisfies readonly { readonly outcome: Outcome; readonly act: string; readonly words: string }[];

interface OpenPilotProps {
  readonly slug: string;
  readonly pilot: Pilot;
}

export function OpenPilot({ slug, pilot }: OpenPilotProps) {
  const [ending, setEnding] = useState<Outcome | null>(null);
  const queryClient = useQueryClient();
  const chosen = OUTCOMES.find(({ outcome }) => outcome === ending);
  const end = async (outcome: Outcome) => {
    queryClient.setQueryData(
      keyOf("/api/projects/{slug}/work/pilots", { slug }),
      await post("/api/projects/{slug}/work/pilots/end", { slug }, { outcome }),
    );
    await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
  };
  return (
    <>
      <Notice tone="info">
        <p>
          A pilot with {countOf(pilot.questions, "question")} began <RelativeTime at={pilot.begun_at} /> and
          goes on. Raters are handed nothing else until you end it.{" "}
          <ProjectLink page="agreement">How far they agree</ProjectLink>
        </p>
      </Notice>
      {pilot.raters.length === 0 ? (
        <p>Nobody takes part yet: invite annotators, or add raters to the plan below.</p>
      ) : (
        <Table
          caption="Raters in the pilot"
          columns={COLUMNS}
          rows={pilot.raters}
          rowKey={(rater) => rater.member_id}
        />
      )}
      <p className={styles["soft"]}>
        Change the guidelines before you end it, if you must: everybody reads them once before going on.
      </p>
      <div className={styles["choices"]}>
        {OUTCOMES.map(({ outcome, act }) => (
          <Button key={outcome} onClick={() => setEnding(outcome)}>
            {act}
          </Button>
        ))}
      </div>
      {chosen && (
        <ConfirmDialog
          title="End the pilot?"
          confirm={chosen.act}
          onConfirm={() => end(chosen.outcome)}
          onClose={() => setEnding(null)}
        >
          <p>{chosen.words}</p>
          <Unfinished pilot={pilot} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Unfinished({ pilot }: { readonly pilot: Pilot }) {
  const unfinished = pilot.raters.filter(({ left }) => left > 0);
  if (unfinished.length === 0) return null;
  return (
    <p>
      {countOf(unfinished.length, "rater")} {unfinished.length === 1 ? "is" : "are"} not done with it. What
      lies in their hands ends too; what they still hand in is kept with the pilot.
    </p>
  );
}

const COLUMNS: readonly Column<Pilot["raters"][number]>[] = [
  {
    key: "name",
    header: "Rater",
    isRowHeader: true,
    cell: (rater) => <span dir="auto">{rater.name}</span>,
  },
  {
    key: "judged",
    header: "Answers judged",
    cell: ({ name, judged, left }) => (
      <ProgressBar label={`Answers judged by ${name}`} done={judged} total={judged + left} />
    ),
  },
];
