/** Two by two, the higher one first: the difference with its interval, and whether chance alone gives it. */
import type { ComparedPair } from "../api/schema";
import { FigureCell, LOOKS } from "../components/figure";
import { type Column, Table } from "../components/table";
import { type Pair, pairsOf, probabilityWords, type Unit } from "./pair-words";

interface ComparedPairsProps {
  readonly caption: string;
  /** What two of are compared: "Systems". */
  readonly things: string;
  readonly unit: Unit;
  /** All, as the server sends them, of which some may be shown; the file has them all. */
  readonly all: readonly ComparedPair[];
  readonly shown: readonly Pair[];
  readonly nameOf: (key: string) => string;
  /** Names them in the file; as they are called there unless told. */
  readonly fileNameOf?: (key: string) => string;
  /** By what they were judged, as the file says it. */
  readonly way: string;
  readonly file: { readonly name: string; readonly signature: string };
  /** Whether some of those shown can be told apart: then each says so, with what McNemar's test counts. */
  readonly isWhole?: boolean;
}

const OF_WHOLE = ["apart", "ahead", "behind", "mcnemar"];

export function ComparedPairs({ caption, all, shown, file, isWhole = false, ...look }: ComparedPairsProps) {
  const columns = pairColumns(look);
  return (
    <Table
      caption={caption}
      rows={shown}
      rowKey={({ key }) => key}
      columns={columns.filter(({ key }) => isWhole || !OF_WHOLE.includes(key))}
      file={{ ...file, columns, rows: pairsOf(all) }}
    />
  );
}

/** A file has each pair as it came, not turned. */
export function pairColumns({
  things,
  unit,
  way,
  nameOf,
  fileNameOf = nameOf,
}: Pick<ComparedPairsProps, "things" | "unit" | "way" | "nameOf" | "fileNameOf">): readonly Column<Pair>[] {
  return [
    {
      key: "pair",
      header: `${things}, the higher one first`,
      isRowHeader: true,
      cell: ({ ahead, behind }) => `${nameOf(ahead)} and ${nameOf(behind)}`,
      value: ({ ahead }) => nameOf(ahead),
      csv: ({ of: { first, second, rows } }) => ({
        first: fileNameOf(first),
        second: fileNameOf(second),
        judged_by: way,
        [`${unit}s`]: rows,
      }),
    },
    {
      key: "difference",
      header: "Difference (points)",
      align: "end",
      cell: ({ difference }) => <FigureCell figure={difference} look={LOOKS.difference} interval="below" />,
      value: ({ difference }) => difference.value,
      csv: ({ of: { difference } }) => ({
        difference: difference.value,
        low: difference.low,
        high: difference.high,
      }),
    },
    {
      key: "p",
      header: "p (Holm)",
      align: "end",
      cell: ({ of: { p_value: p } }) => (p === null ? "–" : probabilityWords(p)),
      value: ({ of }) => of.p_value,
      csv: ({ of }) => ({ p_holm: of.p_value }),
    },
    {
      key: "apart",
      header: "Told apart",
      cell: ({ of }) => (of.is_distinguishable ? "yes" : "no"),
      value: ({ of }) => Number(of.is_distinguishable),
      csv: ({ of }) => ({ distinguishable: of.is_distinguishable ? "yes" : "no" }),
    },
    {
      key: "ahead",
      header: "Right only by the first",
      align: "end",
      value: ({ aheadOnly }) => aheadOnly,
      csv: ({ of }) => ({ first_only: of.first_only }),
    },
    {
      key: "behind",
      header: "Only by the second",
      align: "end",
      value: ({ behindOnly }) => behindOnly,
      csv: ({ of }) => ({ second_only: of.second_only }),
    },
    {
      key: "mcnemar",
      header: "McNemar’s p",
      headerTitle: `Exact and not corrected; it takes ${unit}s as independent`,
      align: "end",
      cell: ({ of: { mcnemar_p: p } }) => (p === null ? "–" : probabilityWords(p)),
      value: ({ of }) => of.mcnemar_p,
      csv: ({ of }) => ({ mcnemar_p: of.mcnemar_p }),
    },
    {
      key: "rows",
      header: unit === "question" ? "Questions" : "Answers",
      align: "end",
      value: ({ of }) => of.rows,
      csv: () => ({}),
    },
  ];
}
