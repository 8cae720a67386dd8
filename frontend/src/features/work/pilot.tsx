/** The pilot: begun, watched and ended here. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { Pilot, PilotBeginRequest, PilotEndRequest } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Choice, FieldRow, Fields, Form, optionsOf, Submit, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import { Sentence } from "./sentence";
import styles from "./work.module.css";

/** The pilot that goes on; nothing while there is none. */
export function PilotSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/work/pilots", { slug }));
  const open = query.data?.pilots.find(isOpen);
  if (!open) return null;
  return (
    <Section title="Pilot">
      <OpenPilot slug={slug} pilot={open} />
    </Section>
  );
}

function isOpen({ outcome }: Pilot): boolean {
  return outcome === "";
}

/** What the plan says of a pilot, and where one is begun. */
export function PilotSentence({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/work/pilots", { slug }));
  const [isBeginning, setBeginning] = useState(false);
  if (query.data === undefined) return null;
  const { pilots, untouched_questions: untouched } = query.data;
  const goesOn = pilots.some(isOpen);
  return (
    <Sentence
      name="Pilot"
      explains={explained("pilot")}
      words={<PilotWords pilots={pilots} untouched={untouched} />}
      act="Set up pilot"
      isOpen={isBeginning && !goesOn}
      onToggle={() => setBeginning(!isBeginning)}
      {...((goesOn || untouched === 0) && { link: null })}
    >
      <BeginForm slug={slug} untouched={untouched} onClose={() => setBeginning(false)} />
    </Sentence>
  );
}

interface PilotWordsProps {
  readonly pilots: readonly Pilot[];
  readonly untouched: number;
}

function PilotWords({ pilots, untouched }: PilotWordsProps) {
  if (pilots.some(isOpen))
    return <p>A pilot is in progress (see above). Annotators get no other questions until it ends.</p>;
  return (
    <>
      {pilots.length === 0 && <p>Annotators start without a pilot.</p>}
      {pilots.map((pilot) => (
        <Ended key={pilot.id} pilot={pilot} />
      ))}
      {untouched === 0 && (
        <p className="soft">
          {pilots.length === 0 ? "A pilot" : "Another pilot"} needs questions that have answers to judge and
          that no annotator has received yet. This project has none.
        </p>
      )}
    </>
  );
}

function Ended({ pilot }: { readonly pilot: Pilot }) {
  const left =
    pilot.outcome === "again"
      ? "are judged again as regular work"
      : "are excluded from the sample and from all scores";
  return (
    <p>
      A pilot with {countOf(pilot.questions, "question")} ended{" "}
      {pilot.ended_at !== null && <RelativeTime at={pilot.ended_at} />}. Its questions {left}.{" "}
      <ProjectLink page="agreement">View agreement</ProjectLink>
    </p>
  );
}

interface BeginFormProps {
  readonly slug: string;
  readonly untouched: number;
  readonly onClose: () => void;
}

const USUAL_SIZE = 10;

function BeginForm({ slug, untouched, onClose }: BeginFormProps) {
  const [count, setCount] = useState(String(Math.min(USUAL_SIZE, untouched)));
  const [seed, setSeed] = useState<string | null>(null);
  const beginning = useWrite(
    (body: PilotBeginRequest) => post("/api/projects/{slug}/work/pilots", { slug }, body),
    {
      keeps: read("/api/projects/{slug}/work/pilots", { slug }).queryKey,
      note: "Pilot started. Annotators get its questions next.",
      stale: [read("/api/projects/{slug}/work", { slug }).queryKey],
      onDone: onClose,
    },
  );
  const submit = () =>
    beginning.mutate({ questions: Number(count), seed: seed === null ? null : Number(seed) });
  const complaint = fieldMessage(beginning.error, "questions");
  return (
    <Form onSubmit={submit}>
      <Fields>
        <p className={styles["soft"]}>
          In a pilot, all annotators judge the same few questions. You see where they disagree and where the
          guidelines are unclear. Pilot judgments do not count. Available: {countOf(untouched, "question")}.
        </p>
        <FieldRow>
          <TextField
            label="Number of questions"
            type="number"
            required
            min={1}
            max={untouched}
            value={count}
            error={complaint}
            onChange={setCount}
          />
          <Choice
            label="Selection"
            value={seed === null ? "first" : "seed"}
            options={optionsOf({ first: "First in import order", seed: "Random sample" })}
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
      <div className="row">
        <Submit write={beginning} isSaid={complaint !== null} variant="primary">
          Start pilot
        </Submit>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}

type Outcome = PilotEndRequest["outcome"];

const OUTCOMES = [
  {
    outcome: "again",
    act: "End pilot and judge its questions again",
    words:
      "Annotators continue with regular work and judge the pilot’s questions again. Pilot judgments do not count.",
  },
  {
    outcome: "left_out",
    act: "End pilot and exclude its questions",
    words:
      "Annotators continue with regular work. The pilot’s questions are permanently excluded from the sample and from all scores.",
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
          A pilot with {countOf(pilot.questions, "question")} started <RelativeTime at={pilot.begun_at} />.
          Annotators get no other questions until you end it.{" "}
          <ProjectLink page="agreement">View agreement</ProjectLink>
        </p>
      </Notice>
      {pilot.raters.length === 0 ? (
        <p>No annotators yet. Invite annotators, or select annotators in the plan below.</p>
      ) : (
        <Table
          caption="Annotators in the pilot"
          columns={COLUMNS}
          rows={pilot.raters}
          rowKey={(rater) => rater.member_id}
          file={{ name: "annotators-in-the-pilot" }}
        />
      )}
      <p className={styles["soft"]}>
        Make any changes to the guidelines before you end the pilot. All annotators must read the new version
        before they continue.
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
      {countOf(unfinished.length, "annotator")} {unfinished.length === 1 ? "has" : "have"} not finished.
      Ending the pilot also closes open sheets. Work that annotators submit afterward is kept with the pilot.
    </p>
  );
}

const COLUMNS: readonly Column<Pilot["raters"][number]>[] = [
  {
    key: "annotator",
    header: "Annotator",
    cell: ({ name }) => <span dir="auto">{name}</span>,
    value: ({ name }) => name,
  },
  {
    key: "judged",
    header: "Answers judged",
    cell: ({ name, judged, left }) => (
      <ProgressBar label={`Answers judged by ${name}`} done={judged} total={judged + left} />
    ),
    csv: ({ judged, left }) => ({ judged, left }),
  },
];
