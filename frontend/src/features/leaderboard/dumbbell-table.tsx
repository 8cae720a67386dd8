/** Each system's score before and after in numbers: counts, points and shares, each with its interval. */
import { BoundedNumber } from "../../components/bounded-number";
import { type Column, Table } from "../../components/table";
import { PublishedRow, PublishedValue } from "../../domain/published";
import { publishedNote, type ReferenceRow } from "../../domain/references";
import { formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import type { Dumbbell } from "./dumbbell-chart";
import { difference, type GainOf, relative } from "./gains";
import { gainWords, pointsColumn } from "./points-column";

interface DumbbellTableProps {
  readonly caption: string;
  readonly pairs: readonly Dumbbell[];
  /** What the two columns are called. */
  readonly names: readonly [before: string, after: string];
  readonly gainOf: (system: string) => ReturnType<GainOf>;
  /** Published numbers of either, and the keys of both. */
  readonly published: readonly ReferenceRow[];
  readonly keys: readonly [before: string, after: string];
}

export function DumbbellTable(props: DumbbellTableProps) {
  const {
    caption,
    pairs,
    names: [before, after],
    gainOf,
    published,
    keys,
  } = props;
  return (
    <Table
      caption={caption}
      rows={pairs}
      rowKey={({ system }) => system}
      columns={[
        {
          key: "system",
          header: "System",
          isRowHeader: true,
          value: ({ label }) => label,
        },
        score("from", before),
        score("to", after),
        pointsColumn<Dumbbell>((pair) => difference(pair, gainOf(pair.system)), gainOf),
        {
          key: "relative",
          header: "Relative (%)",
          align: "end",
          cell: (pair) => (
            <BoundedNumber
              text={formatDifference(relative(pair, gainOf(pair.system)), 0)}
              interval={gainOf(pair.system)?.relative_interval}
              format={(end) => formatDifference(end, 0)}
              words={gainWords(gainOf(pair.system), "relative_interval")}
            />
          ),
          value: (pair) => relative(pair, gainOf(pair.system)),
        },
      ]}
      footer={
        published.length > 0 &&
        published.map((row) => (
          <PublishedRow key={row.key} name={row.name} note={publishedNote(row)}>
            {keys.map((key) => (
              <td key={key}>
                <PublishedValue score={row.scores[key]} />
              </td>
            ))}
            {/* They may be of other questions, so there is no way from one to the other. */}
            <td>–</td>
            <td>–</td>
          </PublishedRow>
        ))
      }
    />
  );
}

function score(key: "from" | "to", header: string): Column<Dumbbell> {
  return {
    key,
    header,
    align: "end",
    cell: ({ [key]: { value, low, high, ...counts } }) => (
      <BoundedNumber
        text={formatPoints(value)}
        interval={[low, high]}
        format={formatPoints}
        counts={countWords(counts)}
      />
    ),
    value: ({ [key]: { value } }) => value,
  };
}

/** How many were right of how many; a mean of scores has no number right. */
function countWords({ correct, n }: Pick<Dumbbell["from"], "correct" | "n">): string {
  return correct === null ? `n ${formatCount(n)}` : `${formatCount(correct)} of ${formatCount(n)}`;
}
