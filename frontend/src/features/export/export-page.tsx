/** What a paper needs of the project, every format it can leave in, and the files already created. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { FoldedSection } from "../../components/folded-section";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView, Skeleton } from "../../components/query-view";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
import { SettledNotice } from "../../domain/settled-notice";
import { WorkerNotice } from "../../domain/worker-notice";
import { FileTable } from "./file-table";
import { isInWork, useFiles } from "./files";
import { FormatList } from "./format-list";
import { PaperSection, REPORT } from "./paper-section";
import { Preliminary } from "./preliminary";

export function ExportPage() {
  const project = useProject();
  useTitle("Export", project.name);
  const isViewer = project.role === "viewer";
  const formats = useQuery({
    ...read("/api/projects/{slug}/export-formats", { slug: project.slug }),
    enabled: !isViewer,
  });
  const files = useFiles();
  return (
    <Page>
      <PageHeader
        title="Export"
        lead={
          <>
            Annotators appear under <Term name="pseudonym">pseudonyms</Term>, never under their own names.
          </>
        }
      />
      <Preliminary slug={project.slug} />
      {!isViewer && <WorkerNotice waiting={files.data?.some(isInWork) ?? false} />}
      <SettledNotice page="export" />
      <PaperSection slug={project.slug} formats={isViewer ? null : formats} />
      {!isViewer && (
        <FoldedSection
          name="formats"
          title="Other formats"
          about="Gold lists, votes, answers, and verdicts as files for spreadsheets and programs."
        >
          <QueryView query={formats} loading={<Skeleton lines={4} height={6} />}>
            {(list) =>
              list.length === 0 ? (
                <AwaitingState title="There is nothing to export yet">
                  <p>Export formats appear here after answers are imported and judged.</p>
                </AwaitingState>
              ) : (
                <FormatList formats={list.filter(({ key }) => key !== REPORT)} />
              )
            }
          </QueryView>
        </FoldedSection>
      )}
      <Section title="Files">
        <QueryView query={files} loading={<Skeleton lines={2} />}>
          {(list) =>
            list.length === 0 ? (
              <p>{isViewer ? "Files that leads create appear here." : "No files have been created yet."}</p>
            ) : (
              <FileTable exports={list} />
            )
          }
        </QueryView>
      </Section>
    </Page>
  );
}
