/** Columns that tables of judges beside people share: figures with their intervals, and errors one can picture. */
import type { ReactNode } from "react";
import type { JudgeBoardRow } from "../../api/schema";
import { figureColumn, figureIn, type Figures, figuresInFile, makeFigure } from "../../components/figure";
import { ProjectLink } from "../../components/project-link";
import { type Column, numberColumn } from "../../components/table";
import { undecidedWords } from "../../domain/judged";
import { type ReferenceRow, sourcesOf } from "../../domain/references";
import { type CsvCells, type CsvColumn, csvRows } from "../../lib/csv";

/** What a study is cut by where judges stand beside people. */
export const CUTS = [
  { value: "system", name: "System" },
  { value: "answer_length", name: "Answer length" },
  { value: "question_type", name: "Question word" },
  { value: "dataset", name: "Data set" },
  { value: "tag", name: "Question tag" },
] as const;

export type PartBy = (typeof CUTS)[number]["value"];

/** Answers by what people and a judge say. */
export type Counts = Readonly<Record<string, number>>;

/** What the board's rows and the parts of a study have in common. */
export interface Beside {
  readonly counts: Counts;
  readonly figures: Figures;
}

const sumOf = (counts: Counts, cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (counts[cell] ?? 0), 0);

const CELLS = ["tp", "fn", "fp", "tn", "unscored"] as const;
export const rowsOf = ({ counts }: Pick<Beside, "counts">) => sumOf(counts, CELLS);
/** On how many answers a judge gave a verdict: one it could not judge is no verdict. */
export const verdictsOf = ({ counts }: Pick<Beside, "counts">) => sumOf(counts, ["tp", "fn", "fp", "tn"]);

export const JUDGE: Column<JudgeBoardRow> = {
  key: "name",
  header: "Judge",
  cell: ({ run, name }) => (run === "" ? name : <ProjectLink page={`runs/${run}`}>{name}</ProjectLink>),
  value: ({ name }) => name,
};

/** What a row is compared with: the two are not measured by the same thing. */
export const comparedWith = ({ kind }: Pick<JudgeBoardRow, "kind">) =>
  kind === "judge"
    ? "Judges, compared with people’s decisions"
    : "Annotators, compared with other annotators";

export function sizeColumn<Row extends Beside>(
  header: string,
  count: (row: Row) => number = rowsOf,
): Column<Row> {
  return numberColumn("n", header, count);
}

type Link<Row> = (row: Row, kind: "rejects" | "accepts", text: string) => ReactNode;

/** The two error rates as counts one can picture; `link` opens the answers behind one of them. */
export function errorColumns<Row extends Beside>(
  link: Link<Row> = (_row, _kind, text) => text,
): Column<Row>[] {
  return [
    figureColumn<Row>("rejects_right", { text: (row, text) => link(row, "rejects", text) }),
    figureColumn<Row>("accepts_wrong", { text: (row, text) => link(row, "accepts", text) }),
  ];
}

/** The counts of a row in a file; of published numbers nothing is known of them. */
export const COUNTS_IN_FILE: CsvColumn<Pick<Beside, "counts">> = {
  key: "counts",
  csv: ({ counts }) => Object.fromEntries(CELLS.map((cell) => [cell, counts[cell]])),
};

/** Of one judge, measured on some of the answers or published, as a file has it. */
interface Line extends Beside {
  /** Whose line it is, and of which answers. */
  readonly names: CsvCells;
  /** Where, of what was. */
  readonly published: string;
  readonly signature: string;
}

/** A published number's n stands in no column of counts. */
export function publishedLine(names: CsvCells, scores: ReferenceRow["scores"]): Line {
  const figures = Object.entries(scores).map(([name, { value }]) => [name, makeFigure(value)] as const);
  const published = sourcesOf(scores);
  return { names, counts: {}, figures: Object.fromEntries(figures), published, signature: "" };
}

export function csvLines(figures: readonly string[], lines: readonly Line[]): CsvCells[] {
  const columns: readonly CsvColumn<Line>[] = [
    { key: "names", csv: ({ names }) => names },
    COUNTS_IN_FILE,
    figuresInFile(figures),
    { key: "published", value: ({ published }) => published },
    { key: "signature", value: ({ signature }) => signature },
  ];
  return csvRows(columns, lines);
}

export const COEFFICIENTS = ["precision", "recall", "f1", "macro_f1", "cohen_kappa", "gwet_ac1"] as const;

/** The figures of a judge's file that a published number can be. */
export const PUBLISHABLE = [
  "accuracy_all",
  "accuracy_scored",
  "coverage",
  ...COEFFICIENTS,
  "accepted_share",
  "correct_share",
  "bias",
  "error_multiple",
  "kendall_tau_b",
] as const;

/** Everything that is known of a judge, whatever of it is shown. */
export const JUDGES_IN_FILE: readonly CsvColumn<JudgeBoardRow>[] = [
  { key: "key", value: ({ key }) => key },
  { key: "name", value: ({ name }) => name },
  { key: "kind", value: ({ kind }) => kind },
  COUNTS_IN_FILE,
  figuresInFile([...PUBLISHABLE, "rejects_right", "accepts_wrong", ...CELLS.map((cell) => `${cell}_share`)]),
  { key: "cost_per_thousand_usd", value: ({ figures }) => figureIn(figures, "cost_per_thousand").value },
  { key: "seconds_per_thousand", value: ({ figures }) => figureIn(figures, "seconds_per_thousand").value },
  { key: "signature", value: ({ signature }) => signature },
];

export function Soft({ children }: { readonly children: ReactNode }) {
  return <p className="soft">{children}</p>;
}

/** While an audit runs, people’s decisions are of the answers decided first. */
export function Undecided({ undecided }: { readonly undecided: number }) {
  const words = undecidedWords({ undecided });
  return words && <Soft>{words}</Soft>;
}
