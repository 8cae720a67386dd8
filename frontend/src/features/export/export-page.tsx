/** What can leave the project, in which form, and the files already made. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Export } from "../../api/contract";
import { useProject } from "../../api/project";
import { EmptyState } from "../../components/empty-state";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { Skeleton } from "../../components/skeleton";
import { WorkerNotice } from "../../components/worker-notice";
import { useTitle } from "../../lib/title";
import { ExportTable } from "./export-table";
import { FormatList } from "./format-list";
import { MethodsSection } from "./methods-section";

const ASK_AGAIN_AFTER = 1_000;
const IN_WORK: readonly string[] = ["queued", "running"];

function isInWork(exports: readonly Export[] | undefined): boolean {
  return exports?.some(({ state }) => IN_WORK.includes(state)) ?? false;
}

export function ExportPage() {
  const project = useProject();
  useTitle("Export", project.name);
  const formats = useQuery(read("/api/projects/{slug}/export-formats", { slug: project.slug }));
  const exports = useQuery({
    ...read("/api/projects/{slug}/exports", { slug: project.slug }),
    refetchInterval: ({ state }) => (isInWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
  return (
    <Page>
      <PageHeader
        title="Export"
        lead="Raters appear under the names they have in exports, never under their own."
      />
      <WorkerNotice waiting={isInWork(exports.data)} />
      <Section title="Files made">
        <QueryView query={exports} loading={<Skeleton lines={2} />}>
          {(list) =>
            list.length === 0 ? <p>None yet. Choose a form below.</p> : <ExportTable exports={list} />
          }
        </QueryView>
      </Section>
      <Section title="Forms">
        <QueryView query={formats} loading={<Skeleton lines={4} height={6} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="There is nothing to export yet">
                <p>Once answers are imported and judged, the forms they can leave in are listed here.</p>
              </EmptyState>
            ) : (
              <FormatList slug={project.slug} formats={list} />
            )
          }
        </QueryView>
      </Section>
      <MethodsSection slug={project.slug} />
    </Page>
  );
}
