/** Cells and columns that tables of agreement share: a figure with its interval, and the same for a file. */
import type { ReactNode } from "react";
import { Badge } from "../../components/badge";
import { BoundedNumber } from "../../components/bounded-number";
import { IntervalBar } from "../../components/interval-bar";
import type { Column } from "../../components/table";
import { csvBounded, type CsvCell } from "../../lib/csv";
import { FEW, formatCoefficient, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";

/** What the whole, a part and a reading of the labels have in common. */
export interface Figures {
  readonly items: number;
  readonly questions: number;
  readonly disagreements: number;
  readonly observed_agreement: number | null;
  readonly cohen_kappa: number | null;
  readonly fleiss_kappa: number | null;
  readonly krippendorff_alpha: number | null;
  readonly krippendorff_alpha_ordinal: number | null;
  readonly gwet_ac1: number | null;
  readonly interval: Readonly<Record<string, readonly number[] | null>>;
  readonly words: Readonly<Record<string, string>>;
  readonly is_paradox: boolean;
  readonly distribution: Readonly<Record<string, number>>;
}

type FigureName =
  | "observed_agreement"
  | "cohen_kappa"
  | "fleiss_kappa"
  | "krippendorff_alpha"
  | "krippendorff_alpha_ordinal"
  | "gwet_ac1";

const NAMES: readonly FigureName[] = [
  "observed_agreement",
  "cohen_kappa",
  "fleiss_kappa",
  "krippendorff_alpha",
  "krippendorff_alpha_ordinal",
  "gwet_ac1",
];

export function Figure({ figures, name }: { readonly figures: Figures; readonly name: FigureName }) {
  const value = figures[name];
  if (value === null) return <span className={styles["soft"]}>{figures.words[name]}</span>;
  const isShare = name === "observed_agreement";
  const format = (number: number) => (isShare ? formatPercent(number) : formatCoefficient(number));
  const [low, high] = figures.interval[name] ?? [];
  const words = figures.words[`interval.${name}`];
  // Of so few items it would say nothing.
  if (figures.items < FEW) return format(value);
  if (low === undefined || high === undefined)
    return <BoundedNumber text={format(value)} interval={null} format={format} words={words} />;
  return (
    <IntervalBar
      value={value}
      low={low}
      high={high}
      text={format(value)}
      description={`95 % interval ${format(low)} to ${format(high)}`}
    />
  );
}

/** κ is low because nearly all votes are one label: said in words beside it. */
export function ParadoxMark({ isMarked }: { readonly isMarked: boolean }) {
  return isMarked ? <Badge tone="warning">κ low: one label is rare</Badge> : null;
}

function figureColumn<Row extends Figures>(name: FigureName, header: string): Column<Row> {
  return {
    key: name,
    header,
    align: "end",
    cell: (row) => <Figure figures={row} name={name} />,
    value: (row) => row[name],
  };
}

interface FigureColumns<Row> {
  readonly raters: number;
  readonly things: string;
  /** The labels have an order and are more than two: without, the ordinal α is the other one. */
  readonly isOrdered: boolean;
  /** How the number of items on which raters differ is shown, such as a link to them. */
  readonly differing: (row: Row) => ReactNode;
}

export function figureColumns<Row extends Figures>({
  raters,
  things,
  isOrdered,
  differing,
}: FigureColumns<Row>): readonly Column<Row>[] {
  return [
    {
      key: "items",
      header: things,
      align: "end",
      value: ({ items }) => items,
    },
    {
      key: "disagreements",
      header: "Differ",
      align: "end",
      cell: differing,
      value: ({ disagreements }) => disagreements,
    },
    figureColumn("observed_agreement", "Equal votes"),
    figureColumn("cohen_kappa", "Cohen’s κ"),
    figureColumn("fleiss_kappa", raters === 2 ? "Scott’s π" : "Fleiss’ κ"),
    figureColumn("krippendorff_alpha", "α"),
    ...(isOrdered ? [figureColumn<Row>("krippendorff_alpha_ordinal", "α, ordinal")] : []),
    figureColumn("gwet_ac1", "AC1"),
    {
      key: "prevalence",
      header: "Most frequent label",
      cell: (figures) => (
        <>
          <Prevalence figures={figures} /> <ParadoxMark isMarked={figures.is_paradox} />
        </>
      ),
    },
  ];
}

function Prevalence({ figures: { distribution, interval, words } }: { readonly figures: Figures }) {
  const total = Object.values(distribution).reduce((sum, count) => sum + count, 0);
  const [label, count] = Object.entries(distribution).toSorted(([, one], [, other]) => other - one)[0] ?? [
    "",
    0,
  ];
  if (total === 0) return "–";
  const format = (share: number) => formatPercent(share, 0);
  return (
    <BoundedNumber
      text={`${label.replaceAll("_", " ")}, ${format(count / total)}`}
      interval={interval[`share_${label}`]}
      format={format}
      words={words[`interval.share_${label}`]}
    />
  );
}

/** Everything of one row, unrounded: figures, intervals, and how often each label was given. */
export function csvOf(figures: Figures): Record<string, CsvCell> {
  const values = NAMES.map((name) => csvBounded(name, figures[name], figures.interval[name]));
  const total = Object.values(figures.distribution).reduce((sum, count) => sum + count, 0);
  const labels = Object.entries(figures.distribution).map(([label, count]) => ({
    [`votes_${label}`]: count,
    ...csvBounded(
      `votes_${label}_share`,
      total === 0 ? null : count / total,
      figures.interval[`share_${label}`],
    ),
  }));
  return {
    items: figures.items,
    questions: figures.questions,
    disagreements: figures.disagreements,
    ...Object.fromEntries(values.flatMap((cells) => Object.entries(cells))),
    kappa_paradox: figures.is_paradox ? "yes" : "no",
    ...Object.fromEntries(labels.flatMap((cells) => Object.entries(cells))),
  };
}
