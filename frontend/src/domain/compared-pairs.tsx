/** Two by two, the higher one first: the difference with its interval, and whether chance alone gives it. */
import type { ComparedPair } from "../api/schema";
import { boundedCells, boundedColumn, LOOKS } from "../components/figure";
import { type Column, numberColumn, Table } from "../components/table";
import { explained } from "../components/term";
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

const OF_WHOLE = ["apart", "ahead", "behind", "mcnemar_p"];

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
      header: `${things} (higher score first)`,
      cell: ({ ahead, behind }) => `${nameOf(ahead)} and ${nameOf(behind)}`,
      value: ({ ahead }) => nameOf(ahead),
      csv: ({ of: { first, second, rows } }) => ({
        first: fileNameOf(first),
        second: fileNameOf(second),
        judged_by: way,
        [`${unit}s`]: rows,
      }),
    },
    boundedColumn("difference", "Difference (points)", ({ difference }) => difference, {
      look: LOOKS.difference,
      interval: "below",
      csv: ({ of: { difference } }) => boundedCells("difference", difference, ""),
    }),
    numberColumn("p_holm", "p (Holm-corrected)", ({ of }) => of.p_value, {
      explains: explained("corrected-for-multiple-tests"),
      format: probabilityWords,
    }),
    {
      key: "apart",
      header: "Significant",
      cell: ({ of }) => (of.is_distinguishable ? "yes" : "no"),
      value: ({ of }) => Number(of.is_distinguishable),
      csv: ({ of }) => ({ distinguishable: of.is_distinguishable ? "yes" : "no" }),
    },
    numberColumn("ahead", "Only the first correct", ({ aheadOnly }) => aheadOnly, {
      csv: ({ of }) => ({ first_only: of.first_only }),
    }),
    numberColumn("behind", "Only the second correct", ({ behindOnly }) => behindOnly, {
      csv: ({ of }) => ({ second_only: of.second_only }),
    }),
    numberColumn("mcnemar_p", "McNemar’s p", ({ of }) => of.mcnemar_p, {
      explains: { about: `Exact and uncorrected; treats ${unit}s as independent.` },
      format: probabilityWords,
    }),
    numberColumn("rows", unit === "question" ? "Questions" : "Answers", ({ of }) => of.rows, {
      csv: () => ({}),
    }),
  ];
}
