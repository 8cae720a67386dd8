/** One import in whatever state it is. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Import, ImportCause, ImportProblem } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Refusal } from "../../components/form";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectButtonLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { useDraw } from "../../domain/sample";
import { WorkerNotice } from "../../domain/worker-notice";
import { countOf, formatCount } from "../../lib/numbers";
import { isRecord } from "../../lib/storage";
import styles from "./import.module.css";
import { importQuery } from "./imports";
import { OptionsForm } from "./options-form";
import { canBeRead, countsOf, countWords, isInWork, lineWords, verdictOf } from "./states";

interface ImportViewProps {
  readonly slug: string;
  readonly found: Import;
  readonly onClose: () => void;
}

export function ImportView({ slug, found, onClose }: ImportViewProps) {
  // What was read by other choices than those on the page must not be stored as if it had been read by them.
  const [isChanged, setChanged] = useState(false);
  return (
    <>
      <WorkerNotice waiting={isInWork(found)} />
      <Status found={found} />
      {found.state === "applied" && <VotedPart slug={slug} />}
      <Counts counts={found.counts} />
      <ImportActions slug={slug} found={found} isChanged={isChanged} onClose={onClose} />
      {found.problems.length > 0 && (
        <Section title={found.state === "refused" ? "Problems" : "Remarks"}>
          <ProblemList problems={found.problems} causes={found.causes} total={found.problem_count} />
        </Section>
      )}
      {canBeRead(found) && (
        <Section title="File settings">
          {/* Another check starts with what it was checked by. */}
          <OptionsForm
            key={JSON.stringify([found.format, found.options])}
            slug={slug}
            found={found}
            isChanged={isChanged}
            onChanged={setChanged}
          />
        </Section>
      )}
      {found.sample.length > 0 && (
        <Section title="First rows">
          <SampleRows rows={found.sample} />
        </Section>
      )}
    </>
  );
}

const WORK: Readonly<Partial<Record<Import["state"], string>>> = {
  checking: "Checking the files",
  applying: "Storing the rows",
  undoing: "Taking the rows out again",
};

function Status({ found }: { readonly found: Import }) {
  if (isInWork(found)) {
    const words = WORK[found.state] ?? "";
    const total = found.state === "undoing" ? null : found.rows_total || null;
    return <ProgressBar label={words} done={found.rows_done} total={total} note={words} />;
  }
  if (found.state === "applied") return <StoredNotice found={found} />;
  if (found.state === "undone") return <Notice title="This import was taken back; nothing of it is left." />;
  if (found.state === "failed") {
    return (
      <Notice tone="danger" title="The import failed, and nothing of it was kept">
        <p>{found.message}</p>
      </Notice>
    );
  }
  const verdict = verdictOf(found);
  return (
    <Notice tone={verdict.tone} title={verdict.words}>
      {found.message && <p>{found.message}</p>}
    </Notice>
  );
}

interface ImportActionsProps {
  readonly slug: string;
  readonly found: Import;
  /** Whether choices stand on the page that the files were not checked by. */
  readonly isChanged: boolean;
  readonly onClose: () => void;
}

function ImportActions({ slug, found, isChanged, onClose }: ImportActionsProps) {
  if (canBeRead(found) || found.state === "failed") {
    return <OpenActions slug={slug} found={found} isChanged={isChanged} onClose={onClose} />;
  }
  if (found.state === "checking") return <CancelAction slug={slug} found={found} />;
  return found.state === "applied" ? <UndoAction slug={slug} found={found} /> : null;
}

function CancelAction({ slug, found }: Pick<ImportActionsProps, "slug" | "found">) {
  const cancelling = useWrite(
    () => post("/api/projects/{slug}/imports/{id}/cancel", { slug, id: found.id }),
    { keeps: importQuery(slug, found.id).queryKey, refusal: "note" },
  );
  return (
    <div className={styles["actions"]}>
      <Button busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancel
      </Button>
    </div>
  );
}

function OpenActions({ slug, found, isChanged, onClose }: ImportActionsProps) {
  const confirmation = useWrite(
    () => post("/api/projects/{slug}/imports/{id}/confirm", { slug, id: found.id }),
    {
      keeps: importQuery(slug, found.id).queryKey,
      // What was imported shows on every page of the project.
      stale: [keyOf("/api/projects/{slug}", { slug })],
      refusal: "note",
    },
  );
  const discarding = useWrite(() => del("/api/projects/{slug}/imports/{id}", { slug, id: found.id }), {
    stale: [read("/api/projects/{slug}/imports", { slug }).queryKey],
    refusal: "note",
    onDone: onClose,
  });
  return (
    <div className={styles["actions"]}>
      {found.state === "ready" && (
        <Button
          variant="primary"
          busy={confirmation.isPending}
          disabled={isChanged}
          onClick={() => confirmation.mutate()}
        >
          Import it
        </Button>
      )}
      <Button busy={discarding.isPending} onClick={() => discarding.mutate()}>
        Discard
      </Button>
      {isChanged && (
        <p className="soft-regular" role="status">
          You changed options below. Check the files again first.
        </p>
      )}
    </div>
  );
}

function UndoAction({ slug, found }: Pick<ImportActionsProps, "slug" | "found">) {
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles["actions"]}>
      <Button variant="danger" size="small" onClick={() => setAsking(true)}>
        Undo this import
      </Button>
      {asking && (
        <ConfirmDialog
          title="Undo this import?"
          confirm="Undo the import"
          onConfirm={() => post("/api/projects/{slug}/imports/{id}/undo", { slug, id: found.id })}
          keeps={importQuery(slug, found.id).queryKey}
          stale={[keyOf("/api/projects/{slug}", { slug })]}
          onClose={() => setAsking(false)}
        >
          <p>This removes everything the import added: {countWords(found.counts)}.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Counts({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const found = countsOf(counts);
  if (found.length === 0) return null;
  return (
    <dl className={styles["counts"]}>
      {found.map((count) => (
        <div key={count.key} className={styles["count"]}>
          <dt>{count.name}</dt>
          <dd>{count.value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ProblemListProps {
  readonly problems: readonly ImportProblem[];
  /** All of them by cause, so that a thousand equal lines read as one and hide no other. */
  readonly causes: readonly ImportCause[];
  /** How many there are; the list holds the first ones. */
  readonly total: number;
}

function ProblemList({ problems, causes, total }: ProblemListProps) {
  const [byLine, setByLine] = useState(false);
  return (
    <div className="fields">
      {byLine ? (
        <ol className="ruled">
          {problems.map((problem, index) => (
            <ProblemLine key={`${index} ${problem.file} ${problem.line}`} problem={problem} />
          ))}
        </ol>
      ) : (
        <ul className="ruled">
          {causes.map((cause) => (
            <CauseLine key={`${cause.severity} ${cause.file} ${cause.code}`} cause={cause} />
          ))}
        </ul>
      )}
      <div className={styles["actions"]}>
        <Button size="small" onClick={() => setByLine(!byLine)}>
          {byLine ? "Group by cause" : "Show each line"}
        </Button>
        {byLine && total > problems.length && (
          <p className="soft-regular">
            The first {formatCount(problems.length)} of {formatCount(total)}.
          </p>
        )}
      </div>
    </div>
  );
}

function CauseLine({ cause }: { readonly cause: ImportCause }) {
  return (
    <li className={styles["problem"]}>
      <Severity severity={cause.severity} />
      <div>
        <p>{cause.message}</p>
        <p className="soft-regular">
          {cause.file}
          {cause.lines.length > 0 &&
            `, ${cause.lines.length === 1 ? "line" : "lines"} ${lineWords(cause.lines, cause.count)}`}
          {cause.count > 1 && ` (${countOf(cause.count, "time")}; the first is quoted)`}
        </p>
      </div>
    </li>
  );
}

function ProblemLine({ problem }: { readonly problem: ImportProblem }) {
  return (
    <li className={styles["problem"]}>
      <Severity severity={problem.severity} />
      <div>
        <p>{problem.message}</p>
        <p className="soft-regular">
          {problem.file}
          {problem.line ? `, line ${formatCount(problem.line)}` : ""}
          {problem.column ? `, column “${problem.column}”` : ""}
        </p>
      </div>
    </li>
  );
}

function Severity({ severity }: Pick<ImportProblem, "severity">) {
  return severity === "error" ? <Badge tone="danger">Error</Badge> : <Badge tone="warning">Remark</Badge>;
}

type Row = Readonly<Record<string, unknown>>;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(" · ");
  if (isRecord(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${cellText(part)}`)
      .join(" · ");
  }
  return String(value);
}

function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return keys.map((key) => ({
    key,
    header: key.replaceAll("_", " "),
    cell: (row) => (
      <span className={styles["cell"]} dir="auto">
        {cellText(row[key])}
      </span>
    ),
  }));
}

function SampleRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table
      folds
      caption="First rows of the files"
      columns={columnsOf(rows)}
      rows={rows}
      rowKey={(row) => JSON.stringify(row)}
    />
  );
}

function StoredNotice({ found }: { readonly found: Import }) {
  return (
    <Notice
      tone="success"
      title="Imported"
      actions={
        <>
          <ProjectButtonLink page="sample" variant="primary" size="small">
            Choose questions to judge
          </ProjectButtonLink>
          <ProjectButtonLink page="overview" size="small">
            Overview
          </ProjectButtonLink>
        </>
      }
    >
      {found.message && <p>{found.message}</p>}
    </Notice>
  );
}

function bringsVotes({ state, counts }: Import): boolean {
  return state === "applied" && ((counts["votes"] ?? 0) > 0 || (counts["decisions"] ?? 0) > 0);
}

export function VotedPart({ slug }: { readonly slug: string }) {
  const imports = useQuery(read("/api/projects/{slug}/imports", { slug })).data;
  const sample = useQuery(read("/api/projects/{slug}/sample", { slug })).data;
  const draw = useDraw(slug);
  // A part that somebody chose stays chosen; raters' own votes alone are work under way.
  if (!sample || sample.method !== "all" || !imports?.some(bringsVotes)) return null;
  const { judged, sampled } = sample;
  if (judged === 0 || judged >= sampled) return null;
  return (
    <Notice
      tone="warning"
      title={`Votes stand on ${formatCount(judged)} of ${countOf(sampled, "question")}`}
      actions={
        <Button size="small" busy={draw.isPending} onClick={() => draw.mutate({ method: "votes" })}>
          {`Take just these ${formatCount(judged)}`}
        </Button>
      }
    >
      <p>
        On the other {formatCount(sampled - judged)} scores by people are exact match until somebody judges
        them. If nobody will, take just the questions with votes: scores of all stay beside them.
      </p>
      <Refusal error={draw.error} />
    </Notice>
  );
}
