/** One row a judge, then people against each other; what is shown of them is chosen, the file has it all. */
import type { ReactNode } from "react";
import type { JudgeBoardRow } from "../../../api/schema";
import { FIGURES } from "../../../api/figures";
import { figureColumn, figureIn, type FigureName, whyWords } from "../../../components/figure";
import { ProjectLink } from "../../../components/project-link";
import { SegmentedControl } from "../../../components/segmented-control";
import { type Column, numberColumn, Table } from "../../../components/table";
import { leftOutWords as auditGap, reachWords, undecidedWords, weightWords } from "../../../domain/judged";
import { PublishedRows, usePublished } from "../../../domain/published";
import {
  byMeasure,
  publishedLine,
  publishedName,
  type ReferenceRow,
  referenceRows,
} from "../../../domain/references";
import { countOf, formatCount, formatMoney } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { formatDuration } from "../../../lib/time";
import {
  COEFFICIENTS,
  comparedWith,
  errorColumns,
  JUDGE,
  JUDGES_IN_FILE,
  PUBLISHABLE,
  rowsOf,
  sizeColumn,
  Soft,
} from "../beside-columns";
import styles from "./board.module.css";

type Row = JudgeBoardRow;

const VIEWS = [
  { value: "errors", name: "Errors" },
  { value: "coefficients", name: "Coefficients" },
  { value: "shares", name: "Shares" },
  { value: "use", name: "Bias, ranking, cost" },
] as const;
type View = (typeof VIEWS)[number]["value"];

interface BoardTableProps {
  readonly rows: readonly Row[];
  /** Whether their intervals are still to come. */
  readonly isComputing: boolean;
}

export function BoardTable({ rows, isComputing }: BoardTableProps) {
  const search = useSearchState();
  const view = VIEWS.find(({ value }) => value === search.read("show"))?.value ?? "errors";
  // What is of one system's answers stands part by part.
  const references = usePublished("judge").filter(({ system }) => system === "");
  const published = referenceRows(references, byMeasure(PUBLISHABLE));
  const columns = [JUDGE, ...COLUMNS[view]].filter(({ key }) => !repeats(key, rows, published));
  const shown = referenceRows(references, byMeasure(columns.map(({ key }) => key)));
  return (
    <>
      <div className={styles["controls"]}>
        <SegmentedControl
          label="Show"
          value={view}
          options={VIEWS}
          onChange={(next) => search.write({ show: next === "errors" ? undefined : next })}
        />
        {isComputing && <Soft>Computing intervals…</Soft>}
      </div>
      <Table
        caption="Judges compared with people"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        groupOf={comparedWith}
        initialSort={{ key: "accuracy_all", descending: true }}
        footer={<PublishedRows rows={shown} columns={columns} />}
        {...(shown.length > 0 && { footerName: "Published scores of judges" })}
        note={`${sizeWords(rows)} ${ratersWords(rows)} ${VIEW_WORDS[view]} ${view === "errors" ? multipleWords(rows) : ""}`}
        file={{
          name: "judges-compared-with-people",
          columns: JUDGES_IN_FILE,
          judges: rows,
          published: published.map((row) =>
            publishedLine(row, { name: publishedName(row), kind: "published" }),
          ),
        }}
      />
    </>
  );
}

/** Where every judge judged every answer, its agreement on those it judged is the same number again. */
function repeats(key: string, rows: readonly Row[], published: readonly ReferenceRow[]): boolean {
  if (key !== "accuracy_scored" && key !== "coverage") return false;
  return (
    rows.every(({ counts }) => counts["unscored"] === 0) &&
    published.every(({ scores }) => scores[key] === undefined)
  );
}

const VIEW_WORDS: Readonly<Record<View, string>> = {
  errors: "Select a number to see the answers.",
  coefficients: "Based on answers with a verdict. All statistics except the last two are percentages.",
  shares: "Percentages of all decided answers.",
  use: "Bias is the share of answers that the judge accepts minus the share that people accept, in points. Cost and time are per 1,000 answers.",
};

/** The answers behind an error; people among themselves have none to open. */
function openErrors(row: Row, kind: "rejects" | "accepts", text: string): ReactNode {
  if (row.run === "" || row.counts[kind === "rejects" ? "fn" : "fp"] === 0) return text;
  const [accepted_by, rejected_by] = kind === "rejects" ? ["people", row.run] : [row.run, "people"];
  return (
    <ProjectLink page="answers" search={{ accepted_by, rejected_by }}>
      {text}
      <span className="visually-hidden">
        , view answers that {row.name} incorrectly {kind}
      </span>
    </ProjectLink>
  );
}

const figure = (name: FigureName) => figureColumn<Row>(name);

/** A cell's share under its short name, with the count behind it. */
function share(name: FigureName): Column<Row> {
  const cell = name.replace("_share", "");
  return figureColumn(name, {
    header: FIGURES[name].plain,
    headerTitle: FIGURES[name].name,
    text: ({ counts }, text) => <span title={formatCount(counts[cell])}>{text}</span>,
  });
}

/** What a thousand answers take: measured once, so without an interval. */
function effort(name: string, header: string, format: (value: number) => string): Column<Row> {
  return numberColumn(name, header, ({ figures }) => figureIn(figures, name).value, {
    cell: ({ figures }) => {
      const { value, why } = figureIn(figures, name);
      return <span title={whyWords({ why })}>{value === null ? "–" : format(value)}</span>;
    },
  });
}

function timeWords(seconds: number): string {
  if (seconds >= 60) return formatDuration(seconds);
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)}\u00a0s`;
}

const COLUMNS: Readonly<Record<View, readonly Column<Row>[]>> = {
  errors: [
    figure("accuracy_all"),
    figure("error_multiple"),
    ...errorColumns<Row>(openErrors),
    figure("accuracy_scored"),
    figure("coverage"),
  ],
  coefficients: COEFFICIENTS.map(figure),
  shares: [
    sizeColumn<Row>("Answers"),
    ...(["tp_share", "tn_share", "fp_share", "fn_share", "unscored_share"] as const).map(share),
  ],
  use: [
    ...(["accepted_share", "correct_share", "bias", "kendall_tau_b"] as const).map(figure),
    effort("cost_per_thousand", "Cost per 1,000", formatMoney),
    effort("seconds_per_thousand", "Time per 1,000", timeWords),
  ],
};

/** Why a whole column stays empty. */
function multipleWords(rows: readonly Row[]): string {
  if (rows.some(({ figures }) => figureIn(figures, "error_multiple").value !== null)) return "";
  const humans = rows.some(({ kind }) => kind !== "judge");
  return humans
    ? "Annotators never disagree here, so there is no human error to compare with."
    : "No answer has votes from two annotators, so there is no human error to compare with.";
}

/** What a rater's row is of, where there is one. */
function ratersWords(rows: readonly Row[]): string {
  if (rows.every(({ kind }) => kind === "judge")) return "";
  return "An annotator’s votes are compared with the other annotators’ votes on the same answers, without tie-breaks. The two groups are not directly comparable: judges are compared with decisions, in which annotators’ disagreements are already resolved.";
}

/** What the figures do not speak of, while nobody has checked what programs settled. */
function leftOutWords(judges: readonly Row[]): string {
  const leftOut = Math.max(...judges.map(({ left_out }) => left_out));
  if (leftOut === 0) return "";
  return `${auditGap({ left_out: leftOut })} Agreement on all answers may be higher or lower. `;
}

/** How answers stand for others, and which questions they are of; begins with a space, or is empty. */
export function basisWords({
  is_audited: weighed,
  reach,
  undecided,
}: Pick<Row, "is_audited" | "reach" | "undecided">): string {
  const words = [weightWords({ weighed }), undecidedWords({ undecided }), reachWords({ reach })].filter(
    (each) => each !== "",
  );
  return words.map((each) => ` ${each}`).join("");
}

function sizeWords(rows: readonly Row[]): string {
  const judges = rows.filter((row) => row.kind === "judge");
  // Every judge is compared on the same answers.
  const [first] = judges;
  if (!first) return "Annotators are compared with each other, vote by vote.";
  const basis = basisWords(first);
  return `${leftOutWords(judges)}Based on up to ${countOf(Math.max(...judges.map(rowsOf)), "distinct answer")} that people have decided. An answer that a judge could not judge counts as an error.${basis} Thin bars show 95% intervals, computed over questions.`;
}
