/** Two by two, the higher one first: the difference with its interval, and whether chance alone gives it. */
import { BoundedNumber } from "../components/bounded-number";
import { whyWords } from "../components/figure";
import { type Column, Table } from "../components/table";
import { formatCount, formatDifference } from "../lib/numbers";
import { probabilityWords, type TurnedPair, type Unit } from "./pair-words";

interface ComparedPairsProps {
  readonly caption: string;
  /** What two of are compared: "Systems". */
  readonly things: string;
  readonly unit: Unit;
  readonly pairs: readonly TurnedPair[];
  readonly nameOf: (key: string) => string;
  /** Whether some of the pairs can be told apart: then each says so, with what McNemar's test counts. */
  readonly isWhole?: boolean;
}

export function ComparedPairs({ caption, pairs, ...look }: ComparedPairsProps) {
  if (pairs.length === 0) return null;
  return <Table caption={caption} rows={pairs} rowKey={({ key }) => key} columns={columnsOf(look)} />;
}

type Look = Pick<ComparedPairsProps, "things" | "unit" | "nameOf" | "isWhole">;

function columnsOf({ things, unit, nameOf, isWhole = false }: Look): readonly Column<TurnedPair>[] {
  return [
    {
      key: "pair",
      header: `${things}, the higher one first`,
      isRowHeader: true,
      cell: ({ ahead, behind }) => `${nameOf(ahead)} and ${nameOf(behind)}`,
      value: ({ ahead }) => nameOf(ahead),
    },
    {
      key: "difference",
      header: "Difference (points)",
      align: "end",
      cell: ({ difference }) => (
        <BoundedNumber
          text={formatDifference(difference.value)}
          interval={[difference.low, difference.high]}
          format={formatDifference}
          words={whyWords(difference)}
        />
      ),
      value: ({ difference }) => difference.value,
    },
    {
      key: "p",
      header: "p (Holm)",
      align: "end",
      cell: ({ p }) => (p === null ? "–" : probabilityWords(p)),
      value: ({ p }) => p,
    },
    ...(isWhole ? wholeColumns(unit) : []),
    {
      key: "rows",
      header: unit === "question" ? "Questions" : "Answers",
      align: "end",
      value: ({ rows }) => rows,
    },
  ];
}

function wholeColumns(unit: Unit): readonly Column<TurnedPair>[] {
  return [
    {
      key: "apart",
      header: "Told apart",
      cell: ({ isDistinguishable }) => (isDistinguishable ? "yes" : "no"),
      value: ({ isDistinguishable }) => Number(isDistinguishable),
    },
    {
      key: "ahead",
      header: "Right only by the first",
      align: "end",
      cell: ({ aheadOnly }) => countOrNone(aheadOnly),
      value: ({ aheadOnly }) => aheadOnly,
    },
    {
      key: "behind",
      header: "Only by the second",
      align: "end",
      cell: ({ behindOnly }) => countOrNone(behindOnly),
      value: ({ behindOnly }) => behindOnly,
    },
    {
      key: "mcnemar",
      header: "McNemar’s p",
      headerTitle: `Exact and not corrected; it takes ${unit}s as independent`,
      align: "end",
      cell: ({ mcnemarP }) => (mcnemarP === null ? "–" : probabilityWords(mcnemarP)),
      value: ({ mcnemarP }) => mcnemarP,
    },
  ];
}

function countOrNone(count: number | null): string {
  return count === null ? "–" : formatCount(count);
}
