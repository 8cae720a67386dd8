/** A figure, wherever one stands: a value with its interval, or why there is none, in the reader's language. */
import type { ReactNode } from "react";
import { FIGURES, WHY } from "../api/figures";
import type { components } from "../api/schema";
import type { CsvCells, CsvColumn } from "../lib/csv";
import { t } from "../lib/i18n/t";
import { formatCoefficient, formatDifference, formatPercent, formatPoints } from "../lib/numbers";
import styles from "./figure.module.css";
import { IntervalBar } from "./interval-bar";
import type { Column } from "./table";
import type { Explanation } from "./tip";

/** What is known of one number; without bounds and a reason, its interval was not asked for. */
export type Figure = components["schemas"]["Figure"];
export type FigureName = keyof typeof FIGURES;
export type Figures = Readonly<Record<string, Figure>>;

export interface Look {
  readonly format: (value: number) => string;
  /** The ends of the scale the interval is drawn on. */
  readonly from: number;
  readonly to: number;
  /** The same ends in words, where the unit does not say them: on every page the same, whatever is in the table. */
  readonly scale?: string;
}

export const LOOKS = {
  share: { format: (value) => formatPoints(value), from: 0, to: 1 },
  /** With its unit, where no header says it. */
  percent: { format: (value) => formatPercent(value), from: 0, to: 1 },
  /** Of a hundred, as whole ones. */
  hundred: { format: (value) => formatPoints(value, 0), from: 0, to: 1 },
  /** Below 0 there is no agreement to draw, only the number. */
  coefficient: { format: (value) => formatCoefficient(value), from: 0, to: 1 },
  difference: { format: (value) => formatDifference(value), from: -0.5, to: 0.5, scale: "bar: −50 to +50" },
  /** A share of another number, in whole percents. */
  change: { format: (value) => formatDifference(value, 0), from: -1, to: 1, scale: "bar: −100 to +100" },
  multiple: {
    format: (value) => `${formatCoefficient(value, 1)} ×`,
    from: 0,
    to: 10,
    scale: "bar: 0 to 10 ×",
  },
} as const satisfies Readonly<Record<string, Look>>;

/** A ranking can be the reverse of another, so τ is drawn from −1. */
const RANKING: Look = { ...LOOKS.coefficient, from: -1 };

/** Every figure that the server did not send is made here; what is not told of it is not known. */
export const makeFigure = (value: number | null, more: Partial<Figure> = {}): Figure => ({
  value,
  low: null,
  high: null,
  why: null,
  ...more,
});

export const figureIn = (figures: Figures | undefined, name: string): Figure =>
  figures?.[name] ?? makeFigure(null);

export function whyWords({ why }: Pick<Figure, "why">): string | undefined {
  return why === null ? undefined : t(WHY[why]);
}

type Bounded = Pick<Figure, "value" | "low" | "high">;

/** Both ends as short as they can be said: "92.0–100.0%", and "−3.4 to +5.8" where they have signs. */
export function endsWords(
  { low, high }: Omit<Bounded, "value">,
  format: (value: number) => string = formatPoints,
): string {
  if (low === null || high === null) return "";
  const [start, end] = [format(low), format(high)];
  if ([start, end].some((each) => /^[+\u2212-]/.test(each))) return `${start} to ${end}`;
  return `${start.replace(/\s?[%×]$/, "")}–${end}`;
}

/** What a figure lies between; empty where that is not known. */
export function intervalWords(
  { low, high }: Omit<Bounded, "value">,
  format: (value: number) => string = formatPoints,
): string {
  return low === null || high === null ? "" : `95% interval ${format(low)} to ${format(high)}`;
}

/** A figure, or what stands for one with more to it, such as a score. */
type Shown = Bounded & Pick<Figure, "why">;

interface FigureLook {
  /** Where it stands: as a bar on the scale of its column with its ends, as a bar alone, or in numbers alone. */
  readonly interval?: "bar" | "bar-alone" | "below" | undefined;
}

interface FigureCellProps extends FigureLook {
  /** Nothing where nobody measured it. */
  readonly figure: Shown | null | undefined;
  readonly look: Look;
  /** What the number is printed in, such as a link. */
  readonly text?: ((text: string) => ReactNode) | undefined;
  /** The counts behind the number, below it. */
  readonly counts?: string | undefined;
}

/** A value with its interval; a dash that says why where there is none. */
export function FigureCell({ figure, look, text, interval = "bar", counts }: FigureCellProps) {
  const { value, low, high } = figure ?? makeFigure(null);
  const plain = value === null ? "–" : look.format(value);
  const printed = text ? text(plain) : plain;
  const words = figure ? whyWords(figure) : undefined;
  const why = value !== null && words !== undefined ? `no interval: ${words}` : words;
  const isBounded = value !== null && low !== null && high !== null && words === undefined;
  if (interval === "below")
    return (
      <span className={styles["cell"]} title={why}>
        <span>{printed}</span>
        {counts !== undefined && <Note>{counts}</Note>}
        {isBounded && (
          <Note before="95% interval ">
            {look.format(low)} to {look.format(high)}
          </Note>
        )}
        {words !== undefined && (
          <Note>
            {value !== null && "no interval"}
            <span className="visually-hidden">
              {value !== null && ": "}
              {words}
            </span>
          </Note>
        )}
      </span>
    );
  if (isBounded)
    return (
      <IntervalBar
        value={value}
        low={low}
        high={high}
        from={look.from}
        to={look.to}
        text={printed}
        description={intervalWords({ low, high }, look.format)}
        ends={interval === "bar" ? endsWords({ low, high }, look.format) : undefined}
      />
    );
  return why === undefined ? (
    printed
  ) : (
    <span title={why}>
      {printed}
      <span className="visually-hidden">, {why}</span>
    </span>
  );
}

interface NoteProps {
  readonly before?: string;
  readonly children: ReactNode;
}

function Note({ before = "", children }: NoteProps) {
  return (
    <span className={styles["note"]}>
      <span className="visually-hidden">, {before}</span>
      {children}
    </span>
  );
}

interface FigureOptions<Row> extends FigureLook, Omit<Partial<Column<Row>>, "cell" | "format"> {
  readonly look?: Look;
  /** What the number is printed in, such as a link. */
  readonly text?: (row: Row, text: string) => ReactNode;
  readonly counts?: (row: Row) => string | undefined;
}

/** The column of a figure that `figureOf` finds, or of a score. */
export function boundedColumn<Row>(
  key: string,
  header: ReactNode,
  figureOf: (row: Row) => Shown | null | undefined,
  { look = LOOKS.share as Look, text, interval, counts, ...more }: FigureOptions<Row> = {},
): Column<Row> {
  return {
    key,
    header,
    align: "end",
    ...(look.scale !== undefined && interval !== "below" && { note: look.scale }),
    cell: (row) => (
      <FigureCell
        figure={figureOf(row)}
        look={look}
        text={text && ((plain) => text(row, plain))}
        interval={interval}
        counts={counts?.(row)}
      />
    ),
    value: (row) => figureOf(row)?.value ?? null,
    csv: (row) => boundedCells(key, figureOf(row)),
    ...more,
  };
}

/** What a figure means, for a heading that is not the catalog's. */
export function explainedFigure(name: FigureName): Explanation {
  const { about, see } = FIGURES[name];
  return { about, see };
}

/** The same, called what the catalog calls it: in the table by its name, in files by its key, unless told. */
export function columnOfFigure<Row>(
  name: FigureName,
  figureOf: (row: Row) => Shown | null | undefined,
  { key = name, header, ...more }: FigureOptions<Row> = {},
): Column<Row> {
  const { name: known, about, look } = FIGURES[name];
  return boundedColumn(key, header ?? known, figureOf, {
    look: name === "kendall_tau_b" ? RANKING : LOOKS[look],
    ...(about !== "" && header === undefined && { explains: explainedFigure(name) }),
    ...more,
  });
}

/** The column of one of a row's figures, by its name. */
export function figureColumn<Row extends { readonly figures: Figures }>(
  name: FigureName,
  options: FigureOptions<Row> = {},
): Column<Row> {
  return columnOfFigure(name, ({ figures }) => figureIn(figures, name), options);
}

/** A figure's cells in a file; `before`: what stands before the names of all but its value. */
export function boundedCells(
  name: string,
  figure: Bounded | null | undefined,
  before = `${name}_`,
): CsvCells {
  return { [name]: figure?.value, [`${before}low`]: figure?.low, [`${before}high`]: figure?.high };
}

/** Figures with both ends of their intervals, as cells of a row of a file. */
export function figureCells(figures: Figures, names: readonly string[]): CsvCells {
  return Object.assign({}, ...names.map((name) => boundedCells(name, figures[name]))) as CsvCells;
}

/** Several figures as columns of a file. */
export function figuresInFile<Row extends { readonly figures: Figures }>(
  names: readonly string[],
): CsvColumn<Row> {
  return { key: names.join(), csv: ({ figures }) => figureCells(figures, names) };
}
