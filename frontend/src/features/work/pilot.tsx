/** The pilot: begun, watched and ended here. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { Pilot, PilotBeginRequest, PilotEndRequest, Pilots } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Choice, FieldRow, Fields, Form, optionsOf, Submit, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import styles from "./work.module.css";

export function PilotSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/work/pilots", { slug }));
  return (
    <Section title="Pilot">
      <QueryView query={query}>{(pilots) => <Standing slug={slug} pilots={pilots} />}</QueryView>
    </Section>
  );
}

function Standing({ slug, pilots: { pilots, untouched_questions: untouched } }: StandingProps) {
  const open = pilots.find(({ outcome }) => outcome === "");
  const ended = pilots.filter(({ outcome }) => outcome !== "");
  return (
    <>
      {open ? <OpenPilot slug={slug} pilot={open} /> : <BeginForm slug={slug} untouched={untouched} />}
      {ended.map((pilot) => (
        <Ended key={pilot.id} pilot={pilot} />
      ))}
    </>
  );
}

interface StandingProps {
  readonly slug: string;
  readonly pilots: Pilots;
}

function Ended({ pilot }: { readonly pilot: Pilot }) {
  const left = pilot.outcome === "again" ? "are judged again as regular work" : "are left out of the study";
  return (
    <p className={styles["soft"]}>
      A pilot with {countOf(pilot.questions, "question")} ended{" "}
      {pilot.ended_at !== null && <RelativeTime at={pilot.ended_at} />}; its questions {left}.{" "}
      <ProjectLink page="agreement">See agreement</ProjectLink>
    </p>
  );
}

interface BeginFormProps {
  readonly slug: string;
  readonly untouched: number;
}

const USUAL_SIZE = 10;

function BeginForm({ slug, untouched }: BeginFormProps) {
  const [count, setCount] = useState(String(Math.min(USUAL_SIZE, untouched)));
  const [seed, setSeed] = useState<string | null>(null);
  const beginning = useWrite(
    (body: PilotBeginRequest) => post("/api/projects/{slug}/work/pilots", { slug }, body),
    {
      keeps: read("/api/projects/{slug}/work/pilots", { slug }).queryKey,
      note: "The pilot has begun: the next sheets come from it.",
      stale: [read("/api/projects/{slug}/work", { slug }).queryKey],
    },
  );
  if (untouched === 0) {
    return (
      <p className={styles["soft"]}>
        A pilot needs questions that no rater has been given yet; there are none.
      </p>
    );
  }
  const submit = () =>
    beginning.mutate({ questions: Number(count), seed: seed === null ? null : Number(seed) });
  const complaint = fieldMessage(beginning.error, "questions");
  return (
    <Form onSubmit={submit}>
      <Fields>
        <p className={styles["soft"]}>
          All raters first judge the same few questions, so that you see how far they agree and where the
          guidelines are unclear. Pilot judgments do not count. {countOf(untouched, "question")} could serve.
        </p>
        <FieldRow>
          <TextField
            label="Questions in the pilot"
            type="number"
            required
            min={1}
            max={untouched}
            value={count}
            error={complaint}
            onChange={setCount}
          />
          <Choice
            label="Which questions"
            value={seed === null ? "first" : "seed"}
            options={optionsOf({ first: "The first in import order", seed: "Random sample" })}
            onChange={(way) => setSeed(way === "seed" ? "1" : null)}
          />
          {seed !== null && (
            <TextField
              label="Seed"
              type="number"
              required
              min={0}
              max={2_147_483_647}
              value={seed}
              onChange={setSeed}
            />
          )}
        </FieldRow>
      </Fields>
      <Submit write={beginning} isSaid={complaint !== null}>
        Start pilot
      </Submit>
    </Form>
  );
}

type Outcome = PilotEndRequest["outcome"];

const OUTCOMES = [
  {
    outcome: "again",
    act: "End pilot and judge its questions again",
    words:
      "Everyone continues with regular work. The pilot’s questions are judged again as part of it; pilot judgments stay with the pilot.",
  },
  {
    outcome: "left_out",
    act: "End pilot and exclude its questions",
    words:
      "Everyone continues with regular work. The pilot’s questions leave the sample for good: they are not judged, and no score counts them.",
  },
] as const satisfies readonly { readonly outcome: Outcome; readonly act: string; readonly words: string }[];

interface OpenPilotProps {
  readonly slug: string;
  readonly pilot: Pilot;
}

function OpenPilot({ slug, pilot }: OpenPilotProps) {
  const [ending, setEnding] = useState<Outcome | null>(null);
  const chosen = OUTCOMES.find(({ outcome }) => outcome === ending);
  return (
    <>
      <Notice tone="info">
        <p>
          A pilot with {countOf(pilot.questions, "question")} began <RelativeTime at={pilot.begun_at} /> and
          goes on. Raters are handed nothing else until you end it.{" "}
          <ProjectLink page="agreement">See agreement</ProjectLink>
        </p>
      </Notice>
      {pilot.raters.length === 0 ? (
        <p>No raters yet: invite annotators, or add raters to the plan below.</p>
      ) : (
        <Table
          caption="Raters in the pilot"
          columns={COLUMNS}
          rows={pilot.raters}
          rowKey={(rater) => rater.member_id}
        />
      )}
      <p className={styles["soft"]}>
        If the guidelines need changes, make them before you end the pilot: everyone reads them once before
        continuing.
      </p>
      <div className="row">
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
          onConfirm={() =>
            post("/api/projects/{slug}/work/pilots/end", { slug }, { outcome: chosen.outcome })
          }
          keeps={read("/api/projects/{slug}/work/pilots", { slug }).queryKey}
          stale={[keyOf("/api/projects/{slug}", { slug })]}
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
      {countOf(unfinished.length, "rater")} {unfinished.length === 1 ? "is" : "are"} not finished. Their open
      sheets end too; what they still submit is kept with the pilot.
    </p>
  );
}

const COLUMNS: readonly Column<Pilot["raters"][number]>[] = [
  { key: "name", header: "Rater", cell: (rater) => <span dir="auto">{rater.name}</span> },
  {
    key: "judged",
    header: "Answers judged",
    cell: ({ name, judged, left }) => (
      <ProgressBar label={`Answers judged by ${name}`} done={judged} total={judged + left} />
    ),
  },
];
