/** The judges: which are at work, which are done, and setting another to work. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Run } from "../../api/schema";
import { useProject } from "../../api/project";
import { SubNav } from "../../components/sub-nav";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { WorkerNotice } from "../../domain/worker-notice";
import { JudgeBoard } from "./judge-board";
import { RunList } from "./run-list";
import { runsHeadline } from "./run-words";

const ASK_AGAIN_AFTER = 1_000;
const AT_WORK: readonly string[] = ["queued", "running"];

function isAtWork(runs: readonly Run[] | undefined): boolean {
  return runs?.some(({ state }) => AT_WORK.includes(state)) ?? false;
}

export function RunsPage() {
  const project = useProject();
  useTitle("Judges", project.name);
  const query = useQuery({
    ...read("/api/projects/{slug}/runs", { slug: project.slug }),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
  const start = (
    <ProjectButtonLink page="runs/new" variant="primary">
      Start a judge
    </ProjectButtonLink>
  );
  return (
    <Page>
      <PageHeader
        title="Judges"
        lead={query.data && query.data.length > 0 && runsHeadline(query.data)}
        actions={query.data && query.data.length > 0 && start}
      />
      <SubNav current="runs" />
      <WorkerNotice waiting={isAtWork(query.data)} />
      <QueryView query={query} loading={<Skeleton lines={4} height={4} />}>
        {(runs) =>
          runs.length === 0 ? (
            <NoRuns action={start} />
          ) : (
            <>
              <Section title="Judges against people">
                <JudgeBoard slug={project.slug} />
              </Section>
              <Section title="Runs">
                <RunList slug={project.slug} runs={runs} />
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function NoRuns({ action }: { readonly action: React.ReactNode }) {
  return (
    <EmptyState title="Judges that are programs will stand here" action={action}>
      <p>
        Each compares every answer with the gold answers in its own way. Their scores join the leaderboard,
        and this page says how far they agree with people.
      </p>
    </EmptyState>
  );
}
