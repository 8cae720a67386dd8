/** One row a judge, then people against each other; what is shown of them is chosen, the file has it all. */
import type { ReactNode } from "react";
import type { JudgeBoardRow, JudgeIntervals } from "../../../api/contract";
import { CsvButton } from "../../../components/csv-button";
import { ProjectLink } from "../../../components/project-link";
import { SegmentedControl } from "../../../components/segmented-control";
import { type Column, Table } from "../../../components/table";
import { leftOutWords as auditGap, weightWords } from "../../../domain/judged";
import { withPublished } from "../../../domain/references";
import { formatCount, formatMoney } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { formatDuration } from "../../../lib/time";
import {
  type Bounds,
  boundsIn,
  cellsOf,
  COEFFICIENT,
  DIFFERENCE,
  errorColumns,
  Figure,
  figureColumn,
  MULTIPLE,
  rowsOf,
  SHARE,
  sizeColumn,
  Soft,
} from "../beside-columns";
import { csvOf, PUBLISHED_FIGURES, publishedCells } from "./board-csv";
import styles from "./board.module.css";
import { PublishedJudges, usePublishedJudges } from "./published-judges";

type Row = JudgeBoardRow;
type BoundsOf = (row: Row, figure: string) => Bounds;

const VIEWS = [
  { value: "errors", name: "Errors" },
  { value: "coefficients", name: "Coefficients" },
  { value: "shares", name: "Shares" },
  { value: "use", name: "Bias, ranking, cost" },
] as const;
type View = (typeof VIEWS)[number]["value"];

interface BoardTableProps {
  readonly rows: readonly Row[];
  /** Nothing while they are being computed. */
  readonly intervals: readonly JudgeIntervals[] | undefined;
  readonly isComputing: boolean;
}

export function BoardTable({ rows, intervals, isComputing }: BoardTableProps) {
  const search = useSearchState();
  const view = VIEWS.find(({ value }) => value === search.read("show"))?.value ?? "errors";
  const boundsOf: BoundsOf = (row, figure) =>
    boundsIn(
      intervals?.find(({ key }) => key === row.key),
      figure,
    );
  const columns = [NAME, ...COLUMNS[view](boundsOf)];
  const published = usePublishedJudges(PUBLISHED_FIGURES);
  return (
    <>
      <div className={styles["controls"]}>
        <SegmentedControl
          label="Show"
          value={view}
          options={VIEWS}
          onChange={(next) => search.write({ show: next === "errors" ? undefined : next })}
        />
        {isComputing && <Soft>Intervals are being computed …</Soft>}
      </div>
      <Table
        caption="Judges compared with people"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        initialSort={{ key: "accuracy_all", descending: true }}
        footer={<PublishedJudges columns={columns.map(({ key }) => key)} />}
      />
      <div className={styles["below"]}>
        <Soft>
          {sizeWords(rows)} {VIEW_WORDS[view]} {view === "errors" && multipleWords(rows)}
        </Soft>
        <CsvButton
          name="judges-against-people"
          rows={withPublished(
            rows.map((row) => csvOf(row, boundsOf)),
            published,
            publishedCells,
          )}
          judges={rows}
        />
      </div>
    </>
  );
}

const VIEW_WORDS: Readonly<Record<View, string>> = {
  errors:
    "Another human’s error is the share of raters’ votes that differ from the other raters’; a number opens its answers.",
  coefficients: "All but the last two in percent, over the answers the judge scored.",
  shares: "In percent of all decided answers.",
  use: "Bias: what the judge would report minus what people say, in points. Cost and time are those of a thousand answers.",
};

const NAME: Column<Row> = {
  key: "name",
  header: "Judge",
  isRowHeader: true,
  cell: (row) => (row.run === "" ? row.name : <ProjectLink page={`runs/${row.run}`}>{row.name}</ProjectLink>),
  sortBy: (row) => row.name,
};

function figure(
  boundsOf: BoundsOf,
  name: keyof Row & string,
  header: string,
  look = SHARE,
  headerTitle?: string,
): Column<Row> {
  return figureColumn<Row>({
    key: name,
    header,
    ...(headerTitle && { headerTitle }),
    value: (row) => row[name] as number | null,
    bounds: (row) => boundsOf(row, name),
    look,
  });
}

/** The answers behind an error; people among themselves have none to open. */
function openErrors(row: Row, kind: "rejects" | "accepts", text: string): ReactNode {
  if (row.run === "" || (kind === "rejects" ? row.fn : row.fp) === 0) return text;
  const [accepted_by, rejected_by] = kind === "rejects" ? ["people", row.run] : [row.run, "people"];
  return (
    <ProjectLink page="answers" search={{ accepted_by, rejected_by }}>
      {text}
      <span className="visually-hidden">
        , see the answers that {row.name} wrongly {kind}
      </span>
    </ProjectLink>
  );
}

function share(
  boundsOf: BoundsOf,
  key: "tp" | "tn" | "fp" | "fn" | "unscored",
  header: string,
  headerTitle: string,
): Column<Row> {
  const value = (row: Row) => (rowsOf(row) === 0 ? null : cellsOf(row)[key] / rowsOf(cellsOf(row)));
  return {
    key,
    header,
    headerTitle,
    align: "end",
    cell: (row) => (
      <span title={formatCount(row[key])}>
        <Figure value={value(row)} bounds={boundsOf(row, `${key}_share`)} words={undefined} look={SHARE} />
      </span>
    ),
    sortBy: value,
  };
}

const COLUMNS: Readonly<Record<View, (boundsOf: BoundsOf) => Column<Row>[]>> = {
  errors: (boundsOf) => [
    figure(boundsOf, "accuracy_all", "Agrees with people (%)"),
    figure(boundsOf, "error_multiple", "Error, × another human’s", MULTIPLE),
    ...errorColumns<Row>(boundsOf, openErrors),
    figure(boundsOf, "accuracy_scored", "Agrees, of those it judged (%)"),
    figure(boundsOf, "coverage", "Judged (%)"),
  ],
  coefficients: (boundsOf) => [
    figure(boundsOf, "precision", "Precision"),
    figure(boundsOf, "recall", "Recall"),
    figure(boundsOf, "f1", "F1"),
    figure(boundsOf, "macro_f1", "Macro-F1"),
    figure(boundsOf, "cohen_kappa", "Cohen’s κ", COEFFICIENT),
    figure(boundsOf, "gwet_ac1", "Gwet’s AC1", COEFFICIENT),
  ],
  shares: (boundsOf) => [
    sizeColumn<Row>("Answers"),
    share(boundsOf, "tp", "TP", "Both accept"),
    share(boundsOf, "tn", "TN", "Both reject"),
    share(boundsOf, "fp", "FP", "The judge accepts, people reject"),
    share(boundsOf, "fn", "FN", "The judge rejects, people accept"),
    share(boundsOf, "unscored", "Not judged", "The judge gave no verdict"),
  ],
  use: (boundsOf) => [
    figure(boundsOf, "accepted_share", "Says right (%)", SHARE, "Share of answers it accepts"),
    figure(boundsOf, "correct_share", "Is right (%)", SHARE, "Share of answers people accept"),
    figure(boundsOf, "bias", "Bias (points)", DIFFERENCE),
    figure(boundsOf, "kendall_tau_b", "Kendall’s τ-b", COEFFICIENT, "Its ranking of systems beside people’s"),
    {
      key: "cost_per_thousand",
      header: "Cost of 1,000",
      align: "end",
      cell: (row) => <span title={row.words["cost_per_thousand"]}>{formatMoney(row.cost_per_thousand)}</span>,
      sortBy: (row) => (row.cost_per_thousand === null ? null : Number(row.cost_per_thousand)),
    },
    {
      key: "seconds_per_thousand",
      header: "Time for 1,000",
      align: "end",
      cell: (row) => (
        <span title={row.words["seconds_per_thousand"]}>
          {row.seconds_per_thousand === null ? "–" : timeWords(row.seconds_per_thousand)}
        </span>
      ),
      sortBy: (row) => row.seconds_per_thousand,
    },
  ],
};

function timeWords(seconds: number): string {
  if (seconds >= 60) return formatDuration(seconds);
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)}\u00a0s`;
}

/** Why a whole column stays empty. */
function multipleWords(rows: readonly Row[]): string {
  if (rows.some(({ error_multiple }) => error_multiple !== null)) return "";
  const humans = rows.some(({ kind }) => kind !== "judge");
  return humans
    ? "Raters never differ here, so there is no error of theirs to compare with."
    : "No answer has votes of two raters, so there is no other human to compare with.";
}

/** What the figures do not speak of, while nobody has checked what programs settled. */
function leftOutWords(judges: readonly Row[]): string {
  const leftOut = Math.max(...judges.map(({ left_out }) => left_out));
  if (leftOut === 0) return "";
  return `${auditGap({ left_out: leftOut })} Judges may agree with people more, or less, on all answers. `;
}

function sizeWords(rows: readonly Row[]): string {
  const judges = rows.filter((row) => row.kind === "judge");
  if (judges.length === 0) return "Raters are compared with each other, vote by vote.";
  const isWeighed = judges.some(({ weighed }) => weighed);
  const weights = isWeighed ? ` ${weightWords({ weighed: true })}` : "";
  return `${leftOutWords(judges)}On up to ${formatCount(Math.max(...judges.map(rowsOf)))} answers that people have decided; an answer a judge could not judge counts against it.${weights} Thin bars are 95 % intervals over questions.`;
}
