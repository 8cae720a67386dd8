/** The files already created. */
import type { Export } from "../../api/schema";
import { Badge, type Tone } from "../../components/badge";
import { CopyButton } from "../../components/button";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { formatBytes, formatCount } from "../../lib/numbers";
import styles from "./export.module.css";
import { addressOf } from "./files";

const STATES: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  queued: { words: "Waiting", tone: "neutral" },
  running: { words: "Creating", tone: "accent" },
  finished: { words: "Ready", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
};

const COLUMNS: readonly Column<Export>[] = [
  { key: "name", header: "File", cell: (file) => file.name },
  { key: "state", header: "Status", cell: (file) => <State file={file} /> },
  { key: "rows", header: "Rows", align: "end", cell: (file) => formatCount(file.rows) },
  { key: "size", header: "Size", align: "end", cell: (file) => formatBytes(file.size) },
  { key: "sha256", header: "SHA-256", cell: (file) => <Fingerprint sha256={file.sha256} /> },
  {
    key: "made",
    header: "Created",
    align: "end",
    cell: (file) => <RelativeTime at={file.finished_at ?? file.created_at} />,
  },
  {
    key: "take",
    header: <span className="visually-hidden">Download</span>,
    align: "end",
    cell: (file) => <Download file={file} />,
  },
];

export function FileTable({ exports }: { readonly exports: readonly Export[] }) {
  return <Table folds caption="Files" columns={COLUMNS} rows={exports} rowKey={(file) => file.id} />;
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
      <CopyButton text={sha256} name="SHA-256" />
    </span>
  );
}

function Download({ file }: { readonly file: Export }) {
  if (file.state !== "finished") return null;
  return (
    <a href={addressOf(file)} download>
      Download<span className="visually-hidden"> {file.name}</span>
    </a>
  );
}
