/** The short address of a saved view, which leads to the table as the view has it. */
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Page, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { VIEW } from "./views";

export function AnswerViewPage() {
  const { slug, name } = useProject();
  useTitle("Answers", name);
  const { view: id } = useParams({ strict: false }) as { readonly view?: string };
  const query = useQuery(read("/api/projects/{slug}/answer-views", { slug }));
  return (
    <Page>
      <QueryView query={query} loading={<Skeleton lines={12} height={1.75} />}>
        {(views) => {
          const view = views.find((each) => each.id === id);
          if (view === undefined) return <NoSuchView />;
          const search = { ...view.query, [VIEW]: view.id };
          return <Navigate to={`/${slug}/answers` as "/"} search={search as never} replace />;
        }}
      </QueryView>
    </Page>
  );
}

function NoSuchView() {
  return (
    <EmptyState
      title="View not found"
      action={<ProjectButtonLink page="answers">Show all answers</ProjectButtonLink>}
    >
      <p>The view was deleted, or it uses a filter that is not available to you.</p>
    </EmptyState>
  );
}
