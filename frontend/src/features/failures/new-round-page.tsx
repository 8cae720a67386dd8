/** Draws a tagging round: which set, from which answers, how many, by whom. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RoundFormView } from "./round-form";

export function NewRoundPage() {
  const project = useProject();
  useTitle("New tagging round", project.name);
  const sets = useQuery(read("/api/projects/{slug}/tag-sets", { slug: project.slug }));
  const rounds = useQuery(read("/api/projects/{slug}/tagging", { slug: project.slug }));
  return (
    <Page width="reading">
      <PageHeader title="New round" lead="A sample of decided answers, drawn once, that people tag." />
      <QueryView query={sets}>
        {(listed) => (
          <QueryView query={rounds}>
            {(overview) => <RoundFormView slug={project.slug} sets={listed} overview={overview} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}
