/** Results of a round: how often each tag was said, as a table with bars. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import type { RoundDetail, RoundResults as TaggingResults, TaggingRound } from "../../api/schema";
import { boundedCells, boundedColumn, LOOKS } from "../../components/figure";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, numberColumn, Table } from "../../components/table";
import { Term } from "../../components/term";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import { shareWords } from "./words";

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
  const { tagged } = results;
  return (
    <Table
      caption={`Tags in ${round.name}`}
      rows={results.tags}
      rowKey={({ key }) => key}
      initialSort={{ key: "items", descending: true }}
      columns={[
        {
          key: "tag",
          header: "Tag",
          value: ({ name }) => name,
          csv: ({ key: tag, name }) => ({ tag, name }),
        },
        numberColumn<TagShare>("items", "Items", ({ items }) => items, {
          csv: ({ items }) => ({ items, tagged }),
        }),
        boundedColumn<TagShare>("share", "Share of tagged items", ({ share }) => share, {
          look: LOOKS.percent,
          csv: ({ share }) => boundedCells("share", share, ""),
        }),
      ]}
      note={
        <>
          {countOf(tagged, "item")} tagged; an item may have several tags.
          {results.unattributable > 0 && (
            <>
              {" "}
              {countOf(results.unattributable, "answer")} marked as{" "}
              <Term name="unattributable">unattributable</Term>.
            </>
          )}{" "}
          {round.filter.by_hand
            ? "The items were chosen by hand, so the shares describe only these items."
            : "Thin bars are 95% intervals."}
        </>
      }
      file={{ name: `tags-${round.id}` }}
    />
  );
}

type TagShare = TaggingResults["tags"][number];
type Comparison = NonNullable<RoundDetail["comparison"]>;
type Proposer = NonNullable<RoundDetail["proposer"]>;
type TagCount = Comparison["tags"][number];

export function ProposalComparison({ round }: { readonly round: RoundDetail }) {
  const isLead = useProject().role === "lead";
  if (round.proposals === "none") return null;
  return (
    <Section title="Proposals compared with people">
      <p className="soft">
        {proposedWords(round)} {round.proposed_by && <code dir="auto">{round.proposed_by}</code>}
      </p>
      {round.proposer && <AtWork proposer={round.proposer} isLead={isLead} />}
      {round.comparison === null ? (
        <p>
          Proposals are hidden from taggers. The comparison with people’s tags appears here when all items are
          tagged.
        </p>
      ) : (
        <Compared comparison={round.comparison} tags={round.tags} />
      )}
    </Section>
  );
}

const AT_WORK: Readonly<Partial<Record<Proposer["state"], string>>> = {
  queued: "The model is waiting to start.",
  running: "The model is running.",
  paused: "The model is paused.",
  failed: "Some items could not be sent to the model.",
  cancelled: "The model was stopped.",
};

function AtWork({ proposer, isLead }: { readonly proposer: Proposer; readonly isLead: boolean }) {
  return (
    <p className="row-centered">
      <span>
        {AT_WORK[proposer.state]} <span dir="auto">{proposer.message}</span>
      </span>
      {isLead && <ProjectLink page={`runs/${proposer.run}`}>View run and costs</ProjectLink>}
    </p>
  );
}

function proposedWords(round: RoundDetail): string {
  const words = `Proposals exist for ${formatCount(round.proposed)} of ${countOf(round.total, "item")}`;
  return round.not_proposed === 0
    ? `${words}.`
    : `${words}; none could be made for ${formatCount(round.not_proposed)}.`;
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly tags: RoundDetail["tags"];
}

function Compared({ comparison, tags }: ComparedProps) {
  const { compared, agreed } = comparison;
  if (compared === 0) return <p>No item with a proposal has been tagged yet.</p>;
  const rows = comparison.tags.filter(({ proposed, said }) => proposed + said > 0);
  const columns: readonly Column<TagCount>[] = [
    {
      key: "tag",
      header: "Tag",
      cell: ({ tag }) => tags.find(({ key }) => key === tag)?.name ?? tag,
      value: ({ tag }) => tag,
    },
    { key: "proposed", header: "Proposed", align: "end", value: ({ proposed }) => proposed },
    { key: "said", header: "Chosen by people", align: "end", value: ({ said }) => said },
    { key: "both", header: "Both", align: "end", value: ({ both }) => both },
  ];
  return (
    <>
      <p>
        People chose exactly the proposed tags for {formatCount(agreed)} of {countOf(compared, "item")}:{" "}
        {formatPercent(agreed / compared, 0)} ({shareWords(comparison)}).
      </p>
      <Table
        caption="Proposed and chosen tags"
        columns={columns}
        rows={rows}
        rowKey={({ tag }) => tag}
        file={{ name: "tags-proposed-and-said" }}
      />
    </>
  );
}
