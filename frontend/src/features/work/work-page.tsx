/** How the work is handed out: who judges what, and what will wait for want of raters. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Notice } from "../../components/notice";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { Hands } from "./hands";
import { History } from "./history";
import { PilotSection } from "./pilot";
import { PlanForm } from "./plan-form";
import { QualityForm } from "./quality-form";

export function WorkPage() {
  const project = useProject();
  useTitle("Work", project.name);
  const query = useQuery(read("/api/projects/{slug}/work", { slug: project.slug }));
  const quality = useQuery(read("/api/projects/{slug}/quality-plan", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title="Work"
        lead="Who is given which answers. A change holds from the next sheet on; sheets in somebody’s hands stay there."
      />
      <QueryView query={query}>
        {(plan) => (
          <>
            {plan.shortage !== "" && <Shortage words={plan.shortage} />}
            <PilotSection slug={project.slug} />
            <Hands slug={project.slug} raters={plan.raters} />
            <PlanForm slug={project.slug} plan={plan} />
            <History events={plan.events} />
          </>
        )}
      </QueryView>
      <QueryView query={quality}>{(plan) => <QualityForm slug={project.slug} plan={plan} />}</QueryView>
    </Page>
  );
}

function Shortage({ words }: { readonly words: string }) {
  return (
    <Notice
      tone="warning"
      actions={
        <ProjectButtonLink page="people" size="small">
          Invite annotators
        </ProjectButtonLink>
      }
    >
      <p>{words}</p>
    </Notice>
  );
}
