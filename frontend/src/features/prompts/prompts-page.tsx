/** What language models are asked: Assay's prompts, the papers', and the project's own versions. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { Prompt } from "../../api/contract";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { JudgesNav } from "../../components/judges-nav";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { PromptDialog } from "./prompt-dialog";
import { PromptList } from "./prompt-list";

export function PromptsPage() {
  const project = useProject();
  useTitle("Prompts", project.name);
  const [editing, setEditing] = useState<Prompt | null>(null);
  const query = useQuery(read("/api/projects/{slug}/prompts", { slug: project.slug }));
  const first = query.data?.[0];
  return (
    <Page width="reading">
      <PageHeader
        title="Prompts"
        lead="What a language model is asked about each answer. A change makes a new version; what was judged keeps the one it was judged with."
        actions={
          first && (
            <Button variant="primary" onClick={() => setEditing(first)}>
              Write your own
            </Button>
          )
        }
      />
      <JudgesNav current="runs/prompts" />
      <QueryView query={query}>
        {(prompts) => <PromptList prompts={prompts} onAdapt={setEditing} />}
      </QueryView>
      {editing && <PromptDialog slug={project.slug} origin={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
