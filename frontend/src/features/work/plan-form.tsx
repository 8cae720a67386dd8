/** Who judges what, how much at most, and what goes first. */
import { useState } from "react";
import { post, put, read } from "../../api/client";
import type { PlannedRater, WorkPlan, WorkPlanSaveRequest } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Choice, Fields, Form, Submit, TextArea, TextField } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { SegmentedControl } from "../../components/segmented-control";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { PauseRater } from "../../domain/pause-rater";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./work.module.css";

interface PlanFormProps {
  readonly slug: string;
  readonly plan: WorkPlan;
}

export function PlanForm({ slug, plan }: PlanFormProps) {
  const [draft, setDraft] = useState(() => draftOf(plan));
  const saving = useWrite((draft: PlanDraft) => put("/api/projects/{slug}/work", { slug }, bodyOf(draft)), {
    keeps: read("/api/projects/{slug}/work", { slug }).queryKey,
    note: "Saved. The plan applies from the next sheet.",
  });
  const change = (part: Partial<PlanDraft>) => setDraft({ ...draft, ...part });
  const changeRater = (id: string, part: Partial<RaterDraft>) => {
    const rater = { ...(draft.raters[id] ?? NO_WISH), ...part };
    change({ raters: { ...draft.raters, [id]: rater } });
  };
  return (
    <Form onSubmit={() => saving.mutate(draft)}>
      <Section title="Who judges what">
        <div>
          <SegmentedControl
            label="Who judges"
            value={draft.sharing}
            options={SHARINGS}
            onChange={(sharing) => change({ sharing })}
          />
        </div>
        <p className={styles["soft"]}>{SHARINGS.find(({ value }) => value === draft.sharing)?.words}</p>
        {plan.raters.length === 0 ? (
          <NobodyYet />
        ) : (
          <RaterPlan raters={plan.raters} draft={draft} onChange={changeRater} />
        )}
      </Section>
      <Section title="Order">
        <Order draft={draft} error={saving.error} onChange={change} />
      </Section>
      <Submit write={saving} variant="primary">
        Save plan
      </Submit>
    </Form>
  );
}

function NobodyYet() {
  return (
    <Fields>
      <p>Raters will be listed here, each with a part, a limit and how far they are.</p>
      <div>
        <ProjectButtonLink page="people" size="small">
          Invite annotators
        </ProjectButtonLink>
      </div>
    </Fields>
  );
}

interface OrderProps {
  readonly draft: PlanDraft;
  readonly error: Error | null;
  readonly onChange: (part: Partial<PlanDraft>) => void;
}

function Order({ draft, error, onChange }: OrderProps) {
  return (
    <div className={styles["order"]}>
      <Choice
        label="Order of questions"
        hint="Questions someone has started come before new ones."
        value={draft.order}
        options={ORDERS}
        onChange={(order) => onChange({ order })}
      />
      <TextArea
        label="First (optional)"
        hint="One per line: a question ID, a data set or a tag."
        rows={4}
        value={draft.goesFirst}
        error={fieldMessage(error, "goes_first")}
        onChange={(goesFirst) => onChange({ goesFirst })}
      />
    </div>
  );
}

interface RaterDraft {
  readonly takesPart: boolean;
  /** Who judges this one's part in their place; empty for nobody. */
  readonly standIn: string;
  readonly from: string;
  readonly to: string;
  readonly share: string;
  readonly answers: string;
  readonly questions: string;
}

interface PlanDraft {
  readonly sharing: WorkPlan["sharing"];
  readonly order: WorkPlan["order"];
  readonly goesFirst: string;
  readonly raters: Readonly<Record<string, RaterDraft>>;
}

const SHARINGS = [
  { value: "everyone", name: "Everybody", words: "Whoever asks gets the next question." },
  {
    value: "named",
    name: "Named raters",
    words: "Only the raters you choose judge: each gets all questions or a range.",
  },
  {
    value: "shares",
    name: "Random shares",
    words:
      "Each rater gets a random share of the questions. Skipped questions, ties and the shares of paused raters go to the others.",
  },
] as const;

const ORDERS = [
  { value: "imported", name: "As imported" },
  { value: "seed", name: "Random order" },
] as const;

function text(value: number | null): string {
  return value === null ? "" : String(value);
}

/** A number as typed; nothing where the field is empty. */
function limit(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

const NO_WISH: RaterDraft = {
  takesPart: false,
  standIn: "",
  from: "",
  to: "",
  share: "0",
  answers: "",
  questions: "",
};

function raterDraft(rater: PlannedRater): RaterDraft {
  return {
    takesPart: rater.takes_part,
    standIn: rater.stand_in,
    from: text(rater.first_question),
    to: text(rater.last_question),
    share: String(rater.share),
    answers: text(rater.answers_at_most),
    questions: text(rater.questions_at_most),
  };
}

function draftOf(plan: WorkPlan): PlanDraft {
  return {
    sharing: plan.sharing,
    order: plan.order,
    goesFirst: plan.goes_first.join("\n"),
    raters: Object.fromEntries(plan.raters.map((rater) => [rater.member_id, raterDraft(rater)])),
  };
}

function bodyOf(draft: PlanDraft): WorkPlanSaveRequest {
  return {
    sharing: draft.sharing,
    order: draft.order,
    goes_first: draft.goesFirst.split("\n").filter((line) => line.trim() !== ""),
    raters: Object.entries(draft.raters).map(([id, rater]) => ({
      member_id: id,
      takes_part: rater.takesPart,
      stand_in: rater.standIn,
      first_question: limit(rater.from),
      last_question: limit(rater.to),
      share: limit(rater.share) ?? 0,
      answers_at_most: limit(rater.answers),
      questions_at_most: limit(rater.questions),
    })),
  };
}

interface RaterPlanProps {
  readonly raters: readonly PlannedRater[];
  readonly draft: PlanDraft;
  readonly onChange: (id: string, change: Partial<RaterDraft>) => void;
}

function RaterPlan({ raters, draft, onChange }: RaterPlanProps) {
  const cell = (key: NumberKey, label: string, least = 1) =>
    function NumberCell(rater: PlannedRater) {
      return (
        <div className={styles["number"]}>
          <TextField
            label={`${label} of ${rater.name}`}
            hideLabel
            type="number"
            min={least}
            value={(draft.raters[rater.member_id] ?? NO_WISH)[key]}
            onChange={(value) => onChange(rater.member_id, { [key]: value })}
          />
        </div>
      );
    };
  const columns: Column<PlannedRater>[] = [
    NAME,
    ...(draft.sharing === "named"
      ? [
          takesPartColumn(draft, onChange),
          { key: "from", header: "From question", cell: cell("from", "First question") },
          { key: "to", header: "To question", cell: cell("to", "Last question") },
          standInColumn(raters, draft, onChange),
        ]
      : []),
    ...(draft.sharing === "shares"
      ? [{ key: "share", header: "Share", cell: cell("share", "Share", 0) }]
      : []),
    { key: "answers", header: "Maximum answers", cell: cell("answers", "Maximum answers") },
    { key: "questions", header: "Maximum questions", cell: cell("questions", "Maximum questions") },
    ...FIGURES,
  ];
  return (
    <Table
      folds
      caption="Raters and their part"
      columns={columns}
      rows={raters}
      rowKey={(row) => row.member_id}
    />
  );
}

type NumberKey = "from" | "to" | "share" | "answers" | "questions";

const NAME: Column<PlannedRater> = {
  key: "name",
  header: "Rater",
  cell: (rater) => (
    <span className={styles["name"]}>
      <span dir="auto">{rater.name}</span>
      {rater.state !== "active" && (
        <Badge tone="warning">{rater.state === "paused" ? "Paused" : "Left"}</Badge>
      )}
      {rater.is_unblinded && <Badge>Not blind</Badge>}
    </span>
  ),
};

function takesPartColumn(draft: PlanDraft, onChange: RaterPlanProps["onChange"]): Column<PlannedRater> {
  return {
    key: "judges",
    header: "Judges",
    cell: (rater) => (
      <input
        type="checkbox"
        className={styles["box"]}
        aria-label={`${rater.name} judges`}
        checked={draft.raters[rater.member_id]?.takesPart ?? false}
        onChange={({ target }) => onChange(rater.member_id, { takesPart: target.checked })}
      />
    ),
  };
}

function standInColumn(
  raters: readonly PlannedRater[],
  draft: PlanDraft,
  onChange: RaterPlanProps["onChange"],
): Column<PlannedRater> {
  return {
    key: "standIn",
    header: "Replaced by",
    cell: (rater) => (
      <Choice
        label={`Who judges the part of ${rater.name}`}
        hideLabel
        value={draft.raters[rater.member_id]?.standIn ?? ""}
        options={raters
          .filter((other) => other !== rater)
          .map((other) => ({ value: other.member_id, name: other.name }))}
        onChange={(standIn) => onChange(rater.member_id, { standIn })}
        empty="no one"
      />
    ),
  };
}

const FIGURES: readonly Column<PlannedRater>[] = [
  {
    key: "hand",
    header: "Open sheets",
    align: "end",
    cell: (rater) => formatCount(rater.open_sheets),
  },
  {
    key: "judged",
    header: "Answers judged",
    align: "end",
    cell: (rater) => formatCount(rater.judged_answers),
  },
  {
    key: "left",
    header: "Remaining",
    align: "end",
    cell: (rater) => formatCount(rater.left_answers),
  },
];

interface HandsProps {
  readonly slug: string;
  readonly raters: readonly PlannedRater[];
}

export function Hands({ slug, raters }: HandsProps) {
  const takingBack = useWrite(
    (rater: PlannedRater) =>
      post("/api/projects/{slug}/work/raters/{member_id}/take-back", { slug, member_id: rater.member_id }),
    {
      keeps: read("/api/projects/{slug}/work", { slug }).queryKey,
      note: (_, rater) => `${countOf(rater.open_sheets, "sheet")} of ${rater.name} recalled.`,
      refusal: "note",
    },
  );
  const present = raters.filter((rater) => rater.state !== "left" || rater.open_sheets > 0);
  if (present.length === 0) return null;
  return (
    <Section title="Open sheets">
      <p className={styles["soft"]}>
        Recalled sheets go to whoever asks next, including the same rater unless paused. Work that is still
        submitted counts if nobody has taken its place; otherwise it is kept but not counted, and the rater is
        told.
      </p>
      <Table
        folds
        caption="Open sheets of raters"
        columns={columnsFor(slug, takingBack.mutate)}
        rows={present}
        rowKey={(rater) => rater.member_id}
      />
    </Section>
  );
}

function columnsFor(slug: string, takeBack: (rater: PlannedRater) => void): Column<PlannedRater>[] {
  return [
    {
      key: "name",
      header: "Rater",
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
      header: "Expires",
      cell: (rater) => (rater.held_until === null ? "–" : <RelativeTime at={rater.held_until} />),
    },
    {
      key: "acts",
      header: <span className="visually-hidden">Actions</span>,
      cell: (rater) => (
        <span className={styles["acts"]}>
          {rater.open_sheets > 0 && (
            <Button
              size="small"
              aria-label={`Recall the sheets of ${rater.name}`}
              onClick={() => takeBack(rater)}
            >
              Recall
            </Button>
          )}
          <PauseRater slug={slug} id={rater.member_id} name={rater.name} state={rater.state} />
        </span>
      ),
    },
  ];
}
