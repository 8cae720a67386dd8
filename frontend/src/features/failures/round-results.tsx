/** What came out of a round: how often each tag was said, as a table with bars. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import type { RoundDetail, RoundResults as TaggingResults, TaggingRound } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { IntervalBar } from "../../components/interval-bar";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import styles from "./failures.module.css";
import { shareWords } from "./words";

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
  const share = (tag: TagRow) => tag.share.value;
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
                low={tag.share.low}
                high={tag.share.high}
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
          low: tag.share.low,
          high: tag.share.high,
        }))}
      />
    </>
  );
}

function intervalWords({ share: { low, high } }: TagRow): string {
  return low === null || high === null ? "" : `95 % interval ${formatPoints(low)} to ${formatPoints(high)}`;
}

type Comparison = NonNullable<RoundDetail["comparison"]>;
type Proposer = NonNullable<RoundDetail["proposer"]>;
type TagCount = Comparison["tags"][number];

export function ProposalComparison({ round }: { readonly round: RoundDetail }) {
  const isLead = useProject().role === "lead";
  if (round.proposals === "none") return null;
  return (
    <Section title="Proposals beside people">
      <p className={styles["soft"]}>
        {proposedWords(round)} {round.proposed_by && <code dir="auto">{round.proposed_by}</code>}
      </p>
      {round.proposer && <AtWork proposer={round.proposer} isLead={isLead} />}
      {round.comparison === null ? (
        <p>Proposals are hidden from whoever tags. What they say beside people stands here at the end.</p>
      ) : (
        <Compared comparison={round.comparison} tags={round.tags} />
      )}
    </Section>
  );
}

const AT_WORK: Readonly<Partial<Record<Proposer["state"], string>>> = {
  queued: "The model waits for a worker.",
  running: "The model is at work.",
  paused: "The model is paused.",
  failed: "The model could not be asked about every item.",
  cancelled: "The model was stopped.",
};

function AtWork({ proposer, isLead }: { readonly proposer: Proposer; readonly isLead: boolean }) {
  return (
    <p className={styles["line"]}>
      <span>
        {AT_WORK[proposer.state]} <span dir="auto">{proposer.message}</span>
      </span>
      {isLead && <ProjectLink page={`runs/${proposer.run}`}>Its run and costs</ProjectLink>}
    </p>
  );
}

function proposedWords(round: RoundDetail): string {
  const words = `Something was proposed for ${formatCount(round.proposed)} of ${formatCount(round.total)} items`;
  return round.not_proposed === 0
    ? `${words}.`
    : `${words}, and could not be for ${formatCount(round.not_proposed)}.`;
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly tags: RoundDetail["tags"];
}

function Compared({ comparison, tags }: ComparedProps) {
  const { compared, agreed } = comparison;
  if (compared === 0) return <p>Nobody has tagged an item with a proposal yet.</p>;
  const rows = comparison.tags.filter(({ proposed, said }) => proposed + said > 0);
  const columns: readonly Column<TagCount>[] = [
    {
      key: "tag",
      header: "Tag",
      isRowHeader: true,
      cell: ({ tag }) => tags.find(({ key }) => key === tag)?.name ?? tag,
    },
    { key: "proposed", header: "Proposed", align: "end", cell: ({ proposed }) => formatCount(proposed) },
    { key: "said", header: "Said by people", align: "end", cell: ({ said }) => formatCount(said) },
    { key: "both", header: "Both", align: "end", cell: ({ both }) => formatCount(both) },
  ];
  return (
    <>
      <p>
        People said exactly what was proposed for {formatCount(agreed)} of {formatCount(compared)} items:{" "}
        {formatPercent(agreed / compared, 0)} ({shareWords(comparison)}).
      </p>
      <Table caption="Tags proposed and said" columns={columns} rows={rows} rowKey={({ tag }) => tag} />
      <div>
        <CsvButton
          name="tags-proposed-and-said"
          rows={rows.map(({ tag, proposed, said, both }) => ({ tag, proposed, said, both }))}
        />
      </div>
    </>
  );
}
