/** Files into the project: dropped, checked, looked at, confirmed; and taken back as a whole. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { Import } from "../../api/schema";
import { messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FileDrop } from "../../components/file-drop";
import { Choice } from "../../components/form";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { useWrite } from "../../components/use-write";
import { formatBytes } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { ImportView, VotedPart } from "./import-view";
import styles from "./import.module.css";
import { importQuery, startImport, usualOptions } from "./imports";
import { ReuseSection } from "./reuse-section";
import { countWords, fileWords, STATES, titleOf } from "./states";

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
        lead="Questions, gold answers, and system answers. You will see a preview first."
      />
      <UploadSection slug={slug} onStarted={onOpen} />
      <QueryView query={imports} loading={<Skeleton lines={3} height={2.5} />}>
        {(list) =>
          list.length > 0 && (
            <Section title="Imports">
              <ImportList imports={list} onOpen={onOpen} />
            </Section>
          )
        }
      </QueryView>
      <VotedPart slug={slug} />
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
        title={query.data ? titleOf(query.data) : "Import"}
        actions={
          <Button size="small" variant="quiet" onClick={onClose}>
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

interface UploadSectionProps {
  readonly slug: string;
  readonly onStarted: (id: string) => void;
}

const ENDINGS = ".jsonl,.json,.csv,.tsv,.txt,.parquet,.gz,.zip";

function UploadSection({ slug, onStarted }: UploadSectionProps) {
  const formats = useQuery({ ...read("/api/projects/{slug}/import-formats", { slug }), staleTime: Infinity });
  const [format, setFormat] = useState("");
  const queryClient = useQueryClient();
  const upload = useWrite(
    (files: readonly File[]) =>
      startImport(slug, { files, ...(format && { format }), options: usualOptions(format, formats.data) }),
    {
      stale: [read("/api/projects/{slug}/imports", { slug }).queryKey],
      onDone: (started) => {
        queryClient.setQueryData(importQuery(slug, started.id).queryKey, started);
        onStarted(started.id);
      },
    },
  );
  const size = upload.variables?.reduce((sum, file) => sum + file.size, 0);
  return (
    <div className="fields">
      {upload.isPending ? (
        <div className={styles["sending"]}>
          <ProgressBar
            label="Uploading files"
            done={0}
            total={null}
            note={`Uploading ${formatBytes(size)}`}
          />
        </div>
      ) : (
        <FileDrop
          label="Drop files here, or choose files"
          hint="JSON Lines, JSON, CSV, TSV, or Parquet files, compressed (.gz, .zip) or not. Name each answer file after its system."
          accept={ENDINGS}
          onFiles={(files) => upload.mutate(files)}
        />
      )}
      {upload.isError && (
        <Notice tone="danger" title={messageOf(upload.error)}>
          <p>Nothing was saved.</p>
        </Notice>
      )}
      <Choice
        label="File format"
        value={format}
        options={formats.data?.map((option) => ({ value: option.key, name: option.name }))}
        onChange={setFormat}
        empty="Detect automatically (recommended)"
      />
    </div>
  );
}

interface ImportListProps {
  readonly imports: readonly Import[];
  readonly onOpen: (id: string) => void;
}

function ImportList({ imports, onOpen }: ImportListProps) {
  return (
    <ul className="ruled">
      {imports.map((found) => (
        <li key={found.id}>
          <button type="button" className={styles["line"]} onClick={() => onOpen(found.id)}>
            <span className={styles["words"]}>
              <span className={styles["name"]}>{fileWords(found.files)}</span>
              <span className="soft-regular">{countWords(found.counts) || found.format_name}</span>
            </span>
            <Badge tone={STATES[found.state].tone}>{STATES[found.state].words}</Badge>
            <span className="soft-regular">
              <RelativeTime at={found.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
