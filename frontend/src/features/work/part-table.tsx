/** What the plan gives to each rater: a part or a share of the questions, and limits. */
import type { PlannedRater } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Choice, TextField } from "../../components/form";
import { type Column, Table } from "../../components/table";
import { explained } from "../../components/term";
import { InviteButton } from "../../domain/votes-awaited";
import { NO_WISH, type PlanChanges, type PlanDraft, type RaterDraft } from "./plan";
import styles from "./work.module.css";

interface PartTableProps {
  readonly raters: readonly PlannedRater[];
  readonly draft: PlanDraft;
  readonly changes: PlanChanges;
  readonly onChange: (changes: PlanChanges) => void;
}

type Change = (id: string, part: Partial<RaterDraft>) => void;

/** Changes what is wished of one rater, beside what was changed before. */
function changeOf({ changes, onChange }: PartTableProps): Change {
  return (id, part) =>
    onChange({ raters: { ...changes.raters, [id]: { ...changes.raters?.[id], ...part } } });
}

export function PartTable(props: PartTableProps) {
  const { raters, draft } = props;
  const change = changeOf(props);
  const columns = {
    everyone: [],
    named: [
      takesPartColumn(draft, change),
      typedColumn("from", "From question", "First question", draft, change),
      typedColumn("to", "To question", "Last question", draft, change),
      standInColumn(raters, draft, change),
    ],
    shares: [
      {
        ...typedColumn("share", "Share", "Share", draft, change, 0),
        explains: explained("share-of-the-work"),
      },
    ],
  };
  return <RaterTable caption="Assignment by annotator" raters={raters} columns={columns[draft.sharing]} />;
}

export function LimitTable(props: PartTableProps) {
  const { raters, draft } = props;
  const change = changeOf(props);
  return (
    <RaterTable
      caption="Limits by annotator"
      raters={raters}
      columns={[
        typedColumn("answers", "Maximum answers", "Maximum answers", draft, change),
        typedColumn("questions", "Maximum questions", "Maximum questions", draft, change),
      ]}
    />
  );
}

interface RaterTableProps {
  readonly caption: string;
  readonly raters: readonly PlannedRater[];
  readonly columns: readonly Column<PlannedRater>[];
}

function RaterTable({ caption, raters, columns }: RaterTableProps) {
  if (raters.length === 0) return <NobodyYet />;
  return (
    <Table
      folds
      isNarrow
      caption={caption}
      columns={[NAME, ...columns]}
      rows={raters}
      rowKey={(row) => row.member_id}
    />
  );
}

export function NobodyYet() {
  return (
    <>
      <p>Annotators appear here after they join.</p>
      <div>
        <InviteButton />
      </div>
    </>
  );
}

export const NAME: Column<PlannedRater> = {
  key: "name",
  header: "Annotator",
  cell: (rater) => (
    <span className={styles["name"]}>
      <span dir="auto">{rater.name}</span>
      {rater.state !== "active" && (
        <Badge tone="warning">{rater.state === "paused" ? "Paused" : "Left"}</Badge>
      )}
      {rater.is_unblinded && <Badge>Not blind</Badge>}
    </span>
  ),
  csv: ({ name, pseudonym, state }) => ({ annotator: name, pseudonym, status: state }),
};

type NumberKey = "from" | "to" | "share" | "answers" | "questions";

function typedColumn(
  key: NumberKey,
  header: string,
  label: string,
  draft: PlanDraft,
  change: Change,
  least = 1,
): Column<PlannedRater> {
  return {
    key,
    header,
    cell: (rater) => (
      <div className={styles["number"]}>
        <TextField
          label={`${label} for ${rater.name}`}
          hideLabel
          type="number"
          min={least}
          value={(draft.raters[rater.member_id] ?? NO_WISH)[key]}
          onChange={(value) => change(rater.member_id, { [key]: value })}
        />
      </div>
    ),
  };
}

function takesPartColumn(draft: PlanDraft, change: Change): Column<PlannedRater> {
  return {
    key: "judges",
    header: "Selected",
    cell: (rater) => (
      <input
        type="checkbox"
        className={styles["box"]}
        aria-label={`Select ${rater.name}`}
        checked={draft.raters[rater.member_id]?.takesPart ?? false}
        onChange={({ target }) => change(rater.member_id, { takesPart: target.checked })}
      />
    ),
  };
}

function standInColumn(
  raters: readonly PlannedRater[],
  draft: PlanDraft,
  change: Change,
): Column<PlannedRater> {
  return {
    key: "standIn",
    header: "Replacement",
    cell: (rater) => (
      <Choice
        label={`Replacement for ${rater.name}`}
        hideLabel
        value={draft.raters[rater.member_id]?.standIn ?? ""}
        options={raters
          .filter((other) => other !== rater)
          .map((other) => ({ value: other.member_id, name: other.name }))}
        onChange={(standIn) => change(rater.member_id, { standIn })}
        empty="None"
      />
    ),
  };
}
