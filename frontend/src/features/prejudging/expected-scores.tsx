/** How sure systems' scores will be once a previewed policy is applied and people have judged the rest. */
import type { ExpectedScore, PolicyPreview } from "../../api/schema";
import { numberColumn, type Column, Table } from "../../components/table";
import { INTERVAL_COVERS } from "../../domain/judged";
import { formatPoints } from "../../lib/numbers";
import { WidthsByShare } from "./audit-shares";
import { assumedWords, precisionWords } from "./words";

interface ExpectedScoresProps {
  readonly preview: PolicyPreview;
  /** The audit share that was previewed, 0 to 1. */
  readonly chosen: number;
}

export function ExpectedScores({ preview, chosen }: ExpectedScoresProps) {
  if (preview.scores.length === 0) return null;
  return (
    <>
      <p>
        {precisionWords(preview)} {assumedWords(preview)}
      </p>
      <p>{INTERVAL_COVERS}</p>
      {preview.scores.length > 1 && (
        <details>
          <summary>Precision for each system</summary>
          <Table
            caption="Expected precision of scores"
            columns={COLUMNS}
            rows={preview.scores}
            rowKey={({ system }) => system}
            file={{ name: "expected-precision" }}
            note="Half the width of each score’s 95% interval on the leaderboard, in percentage points, after people have judged the audited answers and all answers left to them."
          />
          {preview.decided + preview.drawn > 0 && <WidthsByShare preview={preview} chosen={chosen} />}
        </details>
      )}
    </>
  );
}

const COLUMNS: readonly Column<ExpectedScore>[] = [
  { key: "system", header: "System", value: ({ label }) => label, isRowHeader: true },
  numberColumn("settled", "Settled", ({ settled }) => settled),
  numberColumn("audited", "Audited", ({ audited }) => audited),
  numberColumn("to_people", "Left to people", ({ to_people }) => to_people, {
    explains: {
      about:
        "Answers that no rule settles and the audit does not sample. They include answers that people have decided already, such as the calibration sample.",
    },
  }),
  numberColumn("half_width", "± points", ({ half_width }) => half_width, {
    cell: ({ half_width }) => (half_width === null ? "no score" : formatPoints(half_width)),
  }),
  numberColumn("by_people", "± points if people judge all", ({ by_people }) => by_people, {
    cell: ({ by_people }) => formatPoints(by_people),
  }),
];
