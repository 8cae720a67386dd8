/** What came out of a round: how often each tag was said, as a table with bars. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { RoundResults as TaggingResults, TaggingRound } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { IntervalBar } from "../../components/interval-bar";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import { countOf, formatPercent, formatPoints } from "../../lib/numbers";
import styles from "./failures.module.css";

type TagRow = TaggingResults["tags"][number];

export function RoundResults({ round }: { readonly round: TaggingRound }) {
  const project = useProject();
  const query = useQuery(
    read("/api/projects/{slug}/tagging/{tagging_round}/results", {
      slug: project.slug,
      tagging_round: round.id,
    }),
  );
  return <QueryView query={query}>{(results) => <ResultTable round={round} results={results} />}</QueryView>;
}

interface ResultTableProps {
  readonly round: TaggingRound;
  readonly results: TaggingResults;
}

function ResultTable({ round, results }: ResultTableProps) {
  const share = ({ items }: TagRow) => (results.tagged === 0 ? null : items / results.tagged);
  const caption = `Tags in ${round.name}`;
  return (
    <>
      <Table
        caption={caption}
        rows={results.tags}
        rowKey={({ key }) => key}
        initialSort={{ key: "items", descending: true }}
        columns={[
          {
            key: "tag",
            header: "Tag",
            isRowHeader: true,
            value: ({ name }) => name,
          },
          {
            key: "items",
            header: "Items",
            align: "end",
            value: ({ items }) => items,
          },
          {
            key: "share",
            header: "Share of tagged items",
            align: "end",
            cell: (tag) => (
              <IntervalBar
                value={share(tag) ?? 0}
                low={tag.low}
                high={tag.high}
                from={0}
                to={1}
                text={formatPercent(share(tag))}
                description={intervalWords(tag)}
              />
            ),
            value: share,
          },
        ]}
      />
      <p className={styles["soft"]}>
        {countOf(results.tagged, "item")} tagged; an item may have several tags.
        {results.unattributable > 0 &&
          ` ${countOf(results.unattributable, "answer")} marked as unattributable.`}{" "}
        Thin bars are 95 % intervals.
      </p>
      <CsvButton
        name={`tags-${round.id}`}
        rows={results.tags.map((tag) => ({
          tag: tag.key,
          name: tag.name,
          items: tag.items,
          tagged: results.tagged,
          share: share(tag),
          low: tag.low,
          high: tag.high,
        }))}
      />
    </>
  );
}

function intervalWords({ low, high }: TagRow): string {
  return low === null || high === null ? "" : `95 % interval ${formatPoints(low)} to ${formatPoints(high)}`;
}
