/** A figure, wherever one stands: a value with its interval, or why there is none, in the reader's language. */
import type { ReactNode } from "react";
import { FIGURES, WHY } from "../api/figures";
import type { components } from "../api/schema";
import { csvBounded, type CsvCells } from "../lib/csv";
import { t } from "../lib/i18n/t";
import { formatCoefficient, formatDifference, formatPoints } from "../lib/numbers";
import { IntervalBar } from "./interval-bar";
import type { Column } from "./table";

/** What is known of one number; without bounds and a reason, its interval was not asked for. */
export type Figure = components["schemas"]["Figure"];
export type FigureName = keyof typeof FIGURES;
export type Figures = Readonly<Record<string, Figure>>;

export interface Look {
  readonly format: (value: number) => string;
  /** The ends of the scale the interval is drawn on. */
  readonly from: number;
  readonly to: number;
}

export const LOOKS = {
  share: { format: (value) => formatPoints(value), from: 0, to: 1 },
  /** Of a hundred, as whole ones. */
  hundred: { format: (value) => formatPoints(value, 0), from: 0, to: 1 },
  coefficient: { format: (value) => formatCoefficient(value), from: -1, to: 1 },
  difference: { format: (value) => formatDifference(value), from: -0.5, to: 0.5 },
  /** A share of another number, in whole percents. */
  change: { format: (value) => formatDifference(value, 0), from: -1, to: 1 },
  multiple: { format: (value) => `${formatCoefficient(value, 1)} ×`, from: 0, to: 10 },
} as const satisfies Readonly<Record<string, Look>>;

/** A number of which no interval is known. */
export const plainFigure = (value: number | null): Figure => ({ value, low: null, high: null, why: null });

export const figureIn = (figures: Figures | undefined, name: string): Figure =>
  figures?.[name] ?? plainFigure(null);

export function whyWords({ why }: Pick<Figure, "why">): string | undefined {
  return why === null ? undefined : t(WHY[why]);
}

interface FigureCellProps {
  readonly value: number | null;
  readonly low: number | null | undefined;
  readonly high: number | null | undefined;
  /** Why there is no value, or no interval. */
  readonly words: string | undefined;
  readonly look: Look;
  /** What the number is printed in, such as a link. */
  readonly text?: ((text: string) => ReactNode) | undefined;
}

/** A value with its interval; a dash that says why where there is none. */
export function FigureCell({ value, low, high, words, look, text = (plain) => plain }: FigureCellProps) {
  if (value === null)
    return (
      <span title={words}>
        {text("–")}
        {words && <span className="visually-hidden"> {words}</span>}
      </span>
    );
  const printed = text(look.format(value));
  if (words !== undefined) {
    const why = `no interval: ${words}`;
    return (
      <span title={why}>
        {printed}
        <span className="visually-hidden">, {why}</span>
      </span>
    );
  }
  if (typeof low !== "number" || typeof high !== "number") return printed;
  return (
    <IntervalBar
      value={value}
      low={low}
      high={high}
      from={look.from}
      to={look.to}
      text={printed}
      description={`95 % interval ${look.format(low)} to ${look.format(high)}`}
    />
  );
}

interface FigureOptions<Row> {
  /** What the number is printed in, such as a link. */
  readonly text?: (row: Row, text: string) => ReactNode;
}

/** The column of a figure, by its name. */
export function figureColumn<Row extends { readonly figures: Figures }>(
  name: FigureName,
  { text }: FigureOptions<Row> = {},
): Column<Row> {
  const { name: header, look: lookName, about } = FIGURES[name];
  const look = LOOKS[lookName];
  return {
    key: name,
    header,
    ...(about !== "" && { headerTitle: about }),
    align: "end",
    cell: (row) => {
      const figure = figureIn(row.figures, name);
      const words = whyWords(figure);
      return (
        <FigureCell {...figure} words={words} look={look} text={text && ((plain) => text(row, plain))} />
      );
    },
    value: (row) => figureIn(row.figures, name).value,
    csv: (row) => figureCells(row.figures, [name]),
  };
}

/** Figures with both ends of their intervals, as cells of a row of a file. */
export function figureCells(figures: Figures, names: readonly string[]): CsvCells {
  const cells = names.map((name) => {
    const { value, low, high } = figureIn(figures, name);
    return csvBounded(name, value, [low, high]);
  });
  return Object.assign({}, ...cells) as CsvCells;
}
