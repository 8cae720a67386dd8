/** Where the study stands: what is done, who is at work, what needs a decision, the two numbers that matter. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Overview } from "../../api/contract";
import { useProject } from "../../api/project";
import { EmptyState } from "../../components/empty-state";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { StageBar } from "../../components/stage-bar";
import { WorkerNotice } from "../../components/worker-notice";
import { useTitle } from "../../lib/title";
import { NeedsList } from "./needs-list";
import { OverviewLoading } from "./overview-loading";
import styles from "./overview-page.module.css";
import { RaterTable } from "./rater-table";
import { isAllDecided, stagesWithLinks, standingWords } from "./standing";
import { TwoNumbers } from "./two-numbers";

const ASK_AGAIN_AFTER = 15_000;

export function OverviewPage() {
  const project = useProject();
  useTitle("Overview", project.name);
  const query = useQuery({
    ...read("/api/projects/{slug}/overview", { slug: project.slug }),
    refetchInterval: ASK_AGAIN_AFTER,
  });
  return (
    <Page>
      <PageHeader title={project.name} lead={query.data ? standingWords(query.data) : project.description} />
      <QueryView query={query} loading={<OverviewLoading />}>
        {(overview) =>
          overview.questions + overview.left_out === 0 ? (
            <NothingYet />
          ) : (
            <Standing slug={project.slug} overview={overview} />
          )
        }
      </QueryView>
    </Page>
  );
}

function NothingYet() {
  return (
    <EmptyState
      title="This is where you will see how the study goes"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import questions and answers
        </ProjectButtonLink>
      }
    >
      <p>It starts with a file: questions, their gold answers, and what your systems answered.</p>
    </EmptyState>
  );
}

function Standing({ slug, overview }: { readonly slug: string; readonly overview: Overview }) {
  return (
    <>
      <WorkerNotice waiting={!overview.worker_running} />
      <StageBar label="Answers in each stage" stages={stagesWithLinks(slug, overview.stages)} />
      <div className={styles["columns"]}>
        <Section title="Needs a decision now">
          <NeedsList slug={slug} needs={overview.needs} isDone={isAllDecided(overview)} />
        </Section>
        <Section title="The two numbers that matter">
          <TwoNumbers overview={overview} />
        </Section>
      </div>
      <Section title="People at work">
        <RaterTable overview={overview} />
      </Section>
    </>
  );
}
