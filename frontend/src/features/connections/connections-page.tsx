/** Where models are reached: addresses, keys, prices and limits. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { JudgesNav } from "../../components/judges-nav";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { ConnectionDialog } from "./connection-dialog";
import { ConnectionList } from "./connection-list";

export function ConnectionsPage() {
  const project = useProject();
  useTitle("Connections", project.name);
  const [adding, setAdding] = useState(false);
  const query = useQuery(read("/api/projects/{slug}/connections", { slug: project.slug }));
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Connect a model
    </Button>
  );
  return (
    <Page width="reading">
      <PageHeader
        title="Connections"
        lead="Where a judge that is a language model is reached. What it costs is counted, and never goes past the limit."
        actions={query.data && query.data.length > 0 && add}
      />
      <JudgesNav current="runs/connections" />
      <QueryView query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <EmptyState title="No model is connected" action={add}>
              <p>
                Any server that speaks OpenAI’s protocol will do: OpenAI, Azure, vLLM, Ollama, llama.cpp. The
                other judges need none.
              </p>
            </EmptyState>
          ) : (
            <ConnectionList slug={project.slug} connections={connections} />
          )
        }
      </QueryView>
      {adding && <ConnectionDialog slug={project.slug} onClose={() => setAdding(false)} />}
    </Page>
  );
}
