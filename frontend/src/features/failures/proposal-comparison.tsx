/** How often people say what was proposed: as one share, and tag by tag. */
import type { RoundDetail } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { formatCount, formatPercent } from "../../lib/numbers";
import styles from "./failures.module.css";
import { shareWords } from "./words";

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
