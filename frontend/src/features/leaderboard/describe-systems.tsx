/** For leads: what is known of each system, to be filled in one by one. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { System } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { More } from "../../components/list";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import { ABOUT } from "./about";
import { DescribeDialog } from "./describe-dialog";

export function DescribeSystems() {
  const project = useProject();
  if (project.role !== "lead" || project.state === "archived") return null;
  return (
    <More isLate summary="Describe the systems: name, size, passages read, open or closed book">
      <Systems slug={project.slug} />
    </More>
  );
}

function Systems({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const [editing, setEditing] = useState<System | null>(null);
  return (
    <>
      <QueryView query={query}>
        {(systems) => (
          <Table
            caption="What is known of the systems"
            folds
            rows={systems}
            rowKey={({ id }) => id}
            columns={[
              { key: "label", header: "System", isRowHeader: true, cell: ({ label }) => label },
              ...ABOUT.map(({ key, name, cell }) => ({
                key,
                header: name,
                cell: ({ description }: System) =>
                  cell((description as Readonly<Record<string, unknown>>)[key]) || "–",
              })),
              {
                key: "act",
                header: <span className="visually-hidden">Change</span>,
                cell: (system) => (
                  <Button size="small" variant="quiet" onClick={() => setEditing(system)}>
                    Describe<span className="visually-hidden"> {system.label}</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {editing && <DescribeDialog slug={slug} system={editing} onClose={() => setEditing(null)} />}
    </>
  );
}
