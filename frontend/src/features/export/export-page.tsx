/** What can leave the project, in which form, and the files already made. */
import { useQuery } from "@tanstack/react-query";
import { keyOf, post, read } from "../../api/client";
import type { Export, ExportFormat } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge, type Tone } from "../../components/badge";
import { Button, CopyButton } from "../../components/button";
import { More } from "../../components/list";
import { CommandLine } from "../../components/command-line";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useToast } from "../../components/toast";
import { useWrite } from "../../components/use-write";
import { WorkerNotice } from "../../domain/worker-notice";
import { plural, t } from "../../lib/i18n/t";
import { useLanguage } from "../../lib/i18n/use-language";
import { countOf, formatBytes, formatCount } from "../../lib/numbers";
import styles from "./export.module.css";

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
      <PageHeader title="Export" lead="Raters appear under pseudonyms, never under their own names." />
      <WorkerNotice waiting={isInWork(exports.data)} />
      <Section title="Files made">
        <QueryView query={exports} loading={<Skeleton lines={2} />}>
          {(list) =>
            list.length === 0 ? <p>None yet. Choose a format below.</p> : <ExportTable exports={list} />
          }
        </QueryView>
      </Section>
      <Section title="Forms">
        <QueryView query={formats} loading={<Skeleton lines={4} height={6} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="There is nothing to export yet">
                <p>Once answers are imported and judged, the formats you can export appear here.</p>
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

const STATES: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  queued: { words: "Waiting", tone: "neutral" },
  running: { words: "Creating", tone: "accent" },
  finished: { words: "Ready", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
};

const COLUMNS: readonly Column<Export>[] = [
  { key: "name", header: "File", cell: (file) => file.name },
  { key: "state", header: "State", cell: (file) => <State file={file} /> },
  { key: "rows", header: "Rows", align: "end", cell: (file) => formatCount(file.rows) },
  { key: "size", header: "Size", align: "end", cell: (file) => formatBytes(file.size) },
  { key: "sha256", header: "SHA-256", cell: (file) => <Fingerprint sha256={file.sha256} /> },
  {
    key: "made",
    header: "Made",
    align: "end",
    cell: (file) => <RelativeTime at={file.finished_at ?? file.created_at} />,
  },
  {
    key: "take",
    header: "",
    headerTitle: "Download",
    align: "end",
    cell: (file) => <Download file={file} />,
  },
];

function ExportTable({ exports }: { readonly exports: readonly Export[] }) {
  return <Table folds caption="Files made" columns={COLUMNS} rows={exports} rowKey={(file) => file.id} />;
}

function State({ file }: { readonly file: Export }) {
  const state = STATES[file.state] ?? { words: file.state, tone: "neutral" as const };
  return (
    <span className={styles["state"]}>
      <Badge tone={state.tone}>{state.words}</Badge>
      {file.message && <span className={styles["message"]}>{file.message}</span>}
    </span>
  );
}

function Fingerprint({ sha256 }: Pick<Export, "sha256">) {
  if (!sha256) return "–";
  return (
    <span className={styles["fingerprint"]}>
      <code title={sha256}>{sha256.slice(0, 12)}…</code>
      <CopyButton text={sha256} name="all" />
    </span>
  );
}

function Download({ file }: { readonly file: Export }) {
  if (file.state !== "finished") return null;
  return (
    <a href={`/api/exports/${file.id}/download`} download>
      Download<span className="visually-hidden"> {file.name}</span>
    </a>
  );
}

interface FormatListProps {
  readonly slug: string;
  readonly formats: readonly ExportFormat[];
}

function FormatList({ slug, formats }: FormatListProps) {
  return (
    <ul className="ruled">
      {formats.map((format) => (
        <FormatRow key={format.key} slug={slug} format={format} />
      ))}
    </ul>
  );
}

function FormatRow({ slug, format }: { readonly slug: string; readonly format: ExportFormat }) {
  const toast = useToast();
  const start = useWrite(() => post("/api/projects/{slug}/exports", { slug }, { format: format.key }), {
    refusal: "note",
    stale: [keyOf("/api/projects/{slug}/exports", { slug })],
    onDone: (file) =>
      toast({
        text:
          file.state === "finished"
            ? "The file is ready at the top of this page."
            : "The file is being made; it appears at the top of this page.",
      }),
  });
  return (
    <li className={styles["format"]}>
      <div className={styles["words"]}>
        <h3>{format.name}</h3>
        <p>{format.summary}</p>
        <p className="soft">
          {countOf(format.row_count, format.unit)} · <code>{format.file_name}</code>
        </p>
        {format.left_out && <LeftOut {...format.left_out} />}
      </div>
      <Button
        busy={start.isPending}
        onClick={() => start.mutate()}
        aria-label={`Create file: ${format.name}`}
      >
        Create file
      </Button>
      <Preview format={format} />
    </li>
  );
}

function LeftOut({ equal_to_gold, equal_to_addition }: NonNullable<ExportFormat["left_out"]>) {
  return (
    <div className="soft" lang={useLanguage()}>
      {equal_to_gold + equal_to_addition === 0 && <p>{t("No added answer is left out.")}</p>}
      {equal_to_gold > 0 && (
        <p>
          {plural(
            equal_to_gold,
            "{count} added answer is left out: exact match holds it equal to a gold answer of the files.",
            "{count} added answers are left out: exact match holds each equal to a gold answer of the files.",
          )}
        </p>
      )}
      {equal_to_addition > 0 && (
        <p>
          {plural(
            equal_to_addition,
            "{count} added answer is left out: exact match holds it equal to another added answer.",
            "{count} added answers are left out: exact match holds each equal to another added answer.",
          )}
        </p>
      )}
    </div>
  );
}

function Preview({ format }: { readonly format: ExportFormat }) {
  return (
    <div className={styles["preview"]}>
      {format.preview.length === 0 ? (
        <p className="soft">The file would be empty now.</p>
      ) : (
        <pre className={styles["lines"]} tabIndex={0} aria-label={`First lines of ${format.file_name}`}>
          {format.preview.join("\n")}
        </pre>
      )}
      <More summary="Command line">
        <CommandLine command={format.command} />
      </More>
    </div>
  );
}

function MethodsSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/methods", { slug }));
  return (
    <Section title="Methods paragraph">
      <QueryView query={query} loading={<Skeleton lines={5} />}>
        {({ text, missing }) => (
          <div className="stack">
            {missing.length > 0 && (
              <Notice tone="info">
                <p>Still missing:</p>
                <ul className={styles["missing"]}>
                  {missing.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </Notice>
            )}
            <p className={styles["text"]}>{text}</p>
            <div>
              <CopyButton text={text} name="paragraph" />
            </div>
          </div>
        )}
      </QueryView>
    </Section>
  );
}
