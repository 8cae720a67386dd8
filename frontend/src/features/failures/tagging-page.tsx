/** Works through one tagging round: an item, its tags on keys, Enter, the next. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { TaggingRoundDetail } from "../../api/contract";
import { useProject } from "../../api/project";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { ItemFacts } from "./item-facts";
import { ProposalComparison } from "./proposal-comparison";
import { TagForm } from "./tag-form";
import { useItem, useTagging } from "./use-tagging";
import { filterWords } from "./words";

export function TaggingPage() {
  const project = useProject();
  const { round } = useParams({ strict: false }) as { readonly round: string };
  const query = useQuery(
    read("/api/projects/{slug}/tagging/{tagging_round}", { slug: project.slug, tagging_round: round }),
  );
  useTitle(query.data?.name ?? "Tagging", project.name);
  return (
    <Page width="reading">
      <QueryView query={query} level={1}>
        {(found) => <Round slug={project.slug} round={found} />}
      </QueryView>
    </Page>
  );
}

interface RoundProps {
  readonly slug: string;
  readonly round: TaggingRoundDetail;
}

function Round({ slug, round }: RoundProps) {
  const work = useTagging(slug, round);
  return (
    <>
      <PageHeader
        title={round.name}
        lead={[round.set_name === round.name ? [] : round.set_name, filterWords(round.filter, round.judge)]
          .flat()
          .join(" · ")}
        actions={<ProjectButtonLink page="failures">All rounds</ProjectButtonLink>}
      />
      <ProgressBar label="Tagged items" done={round.done} total={round.total} note="tagged" />
      {round.done === round.total && <AllDone round={round} />}
      {work.current && <Item key={work.current.id} slug={slug} round={round} work={work} />}
      <ProposalComparison round={round} />
    </>
  );
}

function AllDone({ round }: { readonly round: TaggingRoundDetail }) {
  return (
    <Notice
      tone="success"
      title="Every item of this round is tagged"
      actions={
        <ProjectButtonLink page="failures" search={{ round: round.id }} variant="primary">
          See what came out
        </ProjectButtonLink>
      }
    >
      <p>Items can still be looked at with j and k, and tagged anew.</p>
    </Notice>
  );
}

interface ItemProps extends RoundProps {
  readonly work: ReturnType<typeof useTagging>;
}

function Item({ slug, round, work }: ItemProps) {
  const query = useItem(slug, round.id, work.current?.id ?? "");
  return (
    <QueryView query={query} loading={<Skeleton lines={7} height={2} />}>
      {(item) => (
        <>
          <ItemFacts
            item={item}
            place={round.items.findIndex(({ id }) => id === item.id) + 1}
            round={round}
          />
          {/* What somebody else said meanwhile starts a clean form. */}
          <TagForm key={item.history.length} slug={slug} item={item} round={round} work={work} />
        </>
      )}
    </QueryView>
  );
}
