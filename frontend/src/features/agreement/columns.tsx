/** Columns that tables of agreement share: counts, figures with their intervals, and the most frequent label. */
import type { ReactNode } from "react";
import type { Slice } from "../../api/schema";
import { Badge } from "../../components/badge";
import {
  boundedCells,
  type Figure,
  FigureCell,
  figureColumn,
  LOOKS,
  makeFigure,
} from "../../components/figure";
import { type Column, numberColumn } from "../../components/table";
import type { CsvCells } from "../../lib/csv";
import { FEW, formatPercent } from "../../lib/numbers";

/** What the whole, a part and a reading of the labels have in common. */
export type Measured = Omit<Slice, "name">;

/** κ is low because nearly all votes are one label: said in words beside it. */
export function ParadoxMark({ isMarked }: { readonly isMarked: boolean }) {
  return isMarked ? <Badge tone="warning">κ is low: one label is rare</Badge> : null;
}

export const paradoxCells = (is_paradox: boolean): CsvCells => ({ kappa_paradox: is_paradox ? "yes" : "no" });

/** Of so few items an interval would say nothing. */
export function sayFew<Row extends Measured>(row: Row): Row {
  if (row.items >= FEW) return row;
  const plain = ({ value, why }: Figure) => makeFigure(value, { why: value === null ? why : null });
  return {
    ...row,
    figures: Object.fromEntries(Object.entries(row.figures).map(([name, of]) => [name, plain(of)])),
  };
}

interface FigureColumns<Row> {
  readonly things: string;
  /** The labels have an order and are more than two: without, the ordinal α is the other one. */
  readonly isOrdered: boolean;
  /** How the number of items on which raters differ is shown, such as a link to them. */
  readonly differing: (row: Row) => ReactNode;
}

/** The columns of a table; a file has the ordinal α and each label, too (`fileColumns`). */
export function figureColumns<Row extends Measured>({
  things,
  isOrdered,
  differing,
}: FigureColumns<Row>): readonly Column<Row>[] {
  return [
    numberColumn("items", things, ({ items }) => items, {
      csv: ({ items, questions }) => ({ items, questions }),
    }),
    numberColumn("disagreements", "Disagreements", ({ disagreements }) => disagreements, { cell: differing }),
    figureColumn<Row>("observed_agreement"),
    figureColumn<Row>("cohen_kappa"),
    figureColumn<Row>("fleiss_kappa"),
    figureColumn<Row>("krippendorff_alpha"),
    ...(isOrdered ? [figureColumn<Row>("krippendorff_alpha_ordinal")] : []),
    figureColumn<Row>("gwet_ac1"),
    {
      key: "prevalence",
      header: "Most frequent label",
      cell: (row) => (
        <>
          <Prevalence row={row} /> <ParadoxMark isMarked={row.is_paradox} />
        </>
      ),
      csv: (row) => ({ ...paradoxCells(row.is_paradox), ...voteCells(row) }),
    },
  ];
}

/** Everything of a row, unrounded. */
export function fileColumns<Row extends Measured>(): readonly Column<Row>[] {
  return figureColumns<Row>({ things: "", isOrdered: true, differing: () => null });
}

function voteCells({ distribution, label_shares }: Measured): CsvCells {
  const cells = Object.entries(distribution).map(([label, count]) => {
    return { [`votes_${label}`]: count, ...boundedCells(`votes_${label}_share`, label_shares[label]) };
  });
  return Object.assign({}, ...cells) as CsvCells;
}

function Prevalence({ row: { distribution, label_shares } }: { readonly row: Measured }) {
  const [label] = Object.entries(distribution).toSorted(([, one], [, other]) => other - one)[0] ?? [""];
  const share = label_shares[label];
  if (!share || share.value === null) return "–";
  return (
    <FigureCell
      figure={share}
      look={{ ...LOOKS.share, format: (part) => formatPercent(part, 0) }}
      interval="below"
      text={(percent) => `${label.replaceAll("_", " ")}, ${percent}`}
    />
  );
}
