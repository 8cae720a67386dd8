/** The answers whose label is known: hidden among the work or for training, and who has passed it. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { EmptyState } from "../../components/empty-state";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { DrawForm } from "./draw-form";
import { KnownTable } from "./known-table";
import { TraineeTable } from "./trainee-table";

export function KnownAnswersPage() {
  const project = useProject();
  useTitle("Known answers", project.name);
  const known = useQuery(read("/api/projects/{slug}/known-answers", { slug: project.slug }));
  const plan = useQuery(read("/api/projects/{slug}/quality-plan", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title="Known answers"
        lead="Answers whose label is known: hidden ones show how often raters are right, those for training show new annotators what is right and why, by the explanation that you add. Annotators see nothing of this page."
        actions={<ProjectLink page="work">Back to the work</ProjectLink>}
      />
      <QueryView query={known}>
        {(rows) => (rows.length === 0 ? <NoneYet /> : <KnownTable slug={project.slug} rows={rows} />)}
      </QueryView>
      <Section title="Draw from decided answers">
        <DrawForm slug={project.slug} />
      </Section>
      <Section title="Who has passed the training">
        <QueryView query={plan}>{(found) => <TraineeTable slug={project.slug} plan={found} />}</QueryView>
      </Section>
    </Page>
  );
}

function NoneYet() {
  return (
    <EmptyState
      title="No answer is known yet"
      action={
        <ProjectButtonLink page="answers" search={{ state: "decided" }}>
          Look through decided answers
        </ProjectButtonLink>
      }
    >
      <p>
        Draw some from decided answers below, or open a decided answer and say there that its label is known,
        with an explanation.
      </p>
    </EmptyState>
  );
}
