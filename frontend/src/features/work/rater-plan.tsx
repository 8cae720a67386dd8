/** The raters one a row: what the plan gives them, what they hold, have judged and have left. */
import type { PlannedRater } from "../../api/contract";
import { Badge } from "../../components/badge";
import { Select, TextField } from "../../components/field";
import { type Column, Table } from "../../components/table";
import { formatCount } from "../../lib/numbers";
import { NO_WISH, type PlanDraft, type RaterDraft } from "./plan-draft";
import styles from "./work.module.css";

interface RaterPlanProps {
  readonly raters: readonly PlannedRater[];
  readonly draft: PlanDraft;
  readonly onChange: (id: string, change: Partial<RaterDraft>) => void;
}

export function RaterPlan({ raters, draft, onChange }: RaterPlanProps) {
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
            onChange={(event) => onChange(rater.member_id, { [key]: event.target.value })}
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
    { key: "answers", header: "Answers at most", cell: cell("answers", "Answers at most") },
    { key: "questions", header: "Questions at most", cell: cell("questions", "Questions at most") },
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
  isRowHeader: true,
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
        onChange={(event) => onChange(rater.member_id, { takesPart: event.target.checked })}
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
    header: "Judged instead by",
    cell: (rater) => (
      <Select
        label={`Who judges the part of ${rater.name}`}
        hideLabel
        value={draft.raters[rater.member_id]?.standIn ?? ""}
        onChange={(event) => onChange(rater.member_id, { standIn: event.target.value })}
      >
        <option value="">nobody else</option>
        {raters
          .filter((other) => other !== rater)
          .map((other) => (
            <option key={other.member_id} value={other.member_id}>
              {other.name}
            </option>
          ))}
      </Select>
    ),
  };
}

const FIGURES: readonly Column<PlannedRater>[] = [
  {
    key: "hand",
    header: "Sheets in hand",
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
    header: "Left by plan",
    align: "end",
    cell: (rater) => formatCount(rater.left_answers),
  },
];
