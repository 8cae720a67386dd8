/** Files into the project: dropped, checked, looked at, confirmed; and taken back as a whole. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { importQuery } from "../../api/imports";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { Skeleton } from "../../components/skeleton";
import { useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { ImportList } from "./import-list";
import { ImportView } from "./import-view";
import { fileWords } from "./states";
import { ReuseSection } from "./reuse-section";
import { SampleSection } from "./sample-section";
import { UploadSection } from "./upload-section";
import { VotedPart } from "./voted-part";

export function ImportPage() {
  const project = useProject();
  useTitle("Import", project.name);
  const search = useSearchState();
  const id = search.read("import");
  const open = (next: string | undefined) => search.write({ import: next });
  if (id !== undefined) return <OneImport slug={project.slug} id={id} onClose={() => open(undefined)} />;
  return <AllImports slug={project.slug} onOpen={open} />;
}

interface AllImportsProps {
  readonly slug: string;
  readonly onOpen: (id: string) => void;
}

function AllImports({ slug, onOpen }: AllImportsProps) {
  const imports = useQuery(read("/api/projects/{slug}/imports", { slug }));
  return (
    <Page width="reading">
      <PageHeader
        title="Import"
        lead="Questions, gold answers, answers of systems, votes or recorded verdicts. Nothing is stored before you have seen what would happen."
      />
      <UploadSection slug={slug} onStarted={onOpen} />
      <Section title="Imports so far">
        <QueryView query={imports} loading={<Skeleton lines={3} height={2.5} />}>
          {(list) => <ImportList imports={list} onOpen={onOpen} />}
        </QueryView>
      </Section>
      <VotedPart slug={slug} />
      {imports.data?.some(({ state }) => state === "applied") && <SampleSection slug={slug} />}
      <ReuseSection slug={slug} />
    </Page>
  );
}

interface OneImportProps {
  readonly slug: string;
  readonly id: string;
  readonly onClose: () => void;
}

function OneImport({ slug, id, onClose }: OneImportProps) {
  const query = useQuery(importQuery(slug, id));
  return (
    <Page width="reading">
      <PageHeader
        title={query.data ? fileWords(query.data.files) : "Import"}
        lead={query.data?.format_name}
        actions={
          <Button size="small" onClick={onClose}>
            All imports
          </Button>
        }
      />
      <QueryView query={query} loading={<Skeleton lines={8} />}>
        {(found) => <ImportView slug={slug} found={found} onClose={onClose} />}
      </QueryView>
    </Page>
  );
}
