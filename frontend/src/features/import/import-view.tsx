/** One import in whatever state it is. */
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Import, Sample } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Refusal } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectButtonLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { useDraw } from "../../domain/sample";
import { WorkerNotice } from "../../domain/worker-notice";
import { capitalized } from "../../lib/lists";
import { countOf, formatCount } from "../../lib/numbers";
import { isRecord } from "../../lib/storage";
import styles from "./import.module.css";
import { importQuery } from "./imports";
import { columnsToMap, OptionsForm, showSetting, useFileSettings } from "./options-form";
import { notesWords, ProblemList } from "./problem-list";
import {
  canBeRead,
  countsOf,
  countWords,
  firstRowsWords,
  groupCauses,
  isInWork,
  nextStepOf,
  pooledWords,
  verdictOf,
} from "./states";
import { askedBy, askedWords, firstLine, isNote } from "./warnings";

interface ImportViewProps {
  readonly slug: string;
  readonly found: Import;
  readonly onClose: () => void;
}

export function ImportView({ slug, found, onClose }: ImportViewProps) {
  // What was read by other choices than those on the page must not be stored as if it had been read by them.
  const [isChanged, setChanged] = useState(false);
  const lastChanged = useRef("");
  const isApplied = found.state === "applied";
  const actions = <ImportActions slug={slug} found={found} isChanged={isChanged} onClose={onClose} />;
  return (
    <>
      <WorkerNotice waiting={isInWork(found)} />
      {found.state === "ready" ? <ReadyBar found={found} actions={actions} /> : <Status found={found} />}
      {isApplied && <NextStep slug={slug} />}
      <Counts found={found} />
      {found.state !== "ready" && actions}
      {canBeRead(found) ? (
        // Another check starts with what it was checked by.
        <ReadBy
          key={JSON.stringify([found.format, found.options])}
          {...{ slug, found, isChanged, lastChanged }}
          onChanged={setChanged}
        />
      ) : (
        // What an earlier check found is not said of the settings of the one at work.
        found.state !== "checking" && <Problems found={found} settings={null} />
      )}
      {found.state !== "checking" && found.sample.length > 0 && <FirstRows found={found} />}
      {isApplied && <UndoAction slug={slug} found={found} />}
    </>
  );
}

/** Whether nothing asks for a look at how the files were read, so that the settings can be folded. */
function isPlain(found: Import): boolean {
  return (
    found.state === "ready" &&
    columnsToMap(found).length === 0 &&
    groupCauses(found.causes, found.rows_total).every(isNote)
  );
}

/** What was found in the files, and by which settings. */
function ReadBy(props: Parameters<typeof useFileSettings>[0]) {
  const { found } = props;
  const settings = useFileSettings(props);
  return (
    <>
      <Problems found={found} settings={settings} />
      {isPlain(found) ? (
        <More summary="File settings">
          <OptionsForm settings={settings} />
        </More>
      ) : (
        <Section title="File settings">
          <OptionsForm settings={settings} />
        </Section>
      )}
    </>
  );
}

/** What was found, folded where none of it asks anything of anybody. */
function Problems({ found, settings }: ComponentProps<typeof ProblemList>) {
  if (found.problems.length === 0) return null;
  const list = <ProblemList found={found} settings={settings} />;
  const groups = groupCauses(found.causes, found.rows_total);
  if (groups.every((group) => askedBy(group) === "nothing"))
    return <More summary={notesWords(groups.length)}>{list}</More>;
  // Notes are folded in the list itself, by what they offer.
  if (groups.every(isNote)) return list;
  return <Section title={found.state === "refused" ? "Problems" : "Warnings"}>{list}</Section>;
}

interface ReadyBarProps {
  readonly found: Import;
  readonly actions: ReactNode;
}

/** What there is to decide and the button that decides it, in sight however far the page is scrolled. */
function ReadyBar({ found, actions }: ReadyBarProps) {
  const { tone, words: title } = verdictOf(found);
  const asked = askedWords(groupCauses(found.causes, found.rows_total));
  return (
    <div className={styles["bar"]}>
      <Notice tone={tone} title={title} actions={actions}>
        {asked && <p>{asked}</p>}
        {words(found)}
      </Notice>
    </div>
  );
}

function Work({ found }: { readonly found: Import }) {
  if (found.state === "applying" && found.rows_total > 0 && found.rows_done >= found.rows_total)
    return <Preparing />;
  const [label, done] = WORK[found.state] ?? ["", ""];
  // Whoever checks or removes reads on until the end, which is not known before.
  const total = found.state === "applying" ? found.rows_total || null : null;
  const rows = total === null && found.rows_done === 1 ? "row" : "rows";
  return (
    <div className="fields">
      <p>{label}</p>
      <ProgressBar label={label} done={found.rows_done} total={total} unit={`${rows} ${done}`} />
      {found.state === "applying" && <Meanwhile />}
    </div>
  );
}

/** After the last row there is more to do, which is not counted: a full bar would look as if it hung. */
function Preparing() {
  const label = "Preparing the answers for judging";
  return (
    <div className="fields">
      <p>All rows are saved. {label}…</p>
      <ProgressBar label={label} done={0} total={null} />
      <Meanwhile />
    </div>
  );
}

/** No step to go on with: the next one, which questions are judged, needs the import. */
function Meanwhile() {
  return <p className="soft-regular">You can leave this page. The import will continue.</p>;
}

/** What is done to the files, and what of it was done to a row. */
const WORK: Readonly<Partial<Record<Import["state"], readonly [string, string]>>> = {
  checking: ["Checking the files", "checked"],
  applying: ["Saving the rows", "saved"],
  undoing: ["Removing the rows", "removed"],
};

function Status({ found }: { readonly found: Import }) {
  if (isInWork(found)) return <Work found={found} />;
  if (found.state === "applied")
    return (
      <Notice tone="success" title="Imported">
        {words(found)}
      </Notice>
    );
  if (found.state === "undone") return <Notice title="Import undone. Everything it added was removed." />;
  if (found.state === "failed") {
    return (
      <Notice tone="danger" title="The import failed. Nothing was saved.">
        {words(found)}
      </Notice>
    );
  }
  const verdict = verdictOf(found);
  return (
    <Notice tone={verdict.tone} title={verdict.words}>
      {words(found)}
    </Notice>
  );
}

function words({ message }: Import) {
  return message && <p>{message}</p>;
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
  return found.state === "checking" ? <CancelAction slug={slug} found={found} /> : null;
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
          onClick={() => {
            // The button is pressed from anywhere on the page; what comes of it stands at the top.
            window.scrollTo(0, 0);
            confirmation.mutate();
          }}
        >
          Import files
        </Button>
      )}
      <Button variant="quiet" busy={discarding.isPending} onClick={() => discarding.mutate()}>
        Discard
      </Button>
      {isChanged && (
        <p className="soft-regular" role="status">
          You changed the file settings. Check the files again before you import them.
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
        Undo import
      </Button>
      {asking && (
        <ConfirmDialog
          title="Undo this import?"
          confirm="Undo import"
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

function Counts({ found: { counts, causes, state } }: { readonly found: Import }) {
  const found = countsOf(counts);
  const pooled = state === "applied" ? "" : pooledWords(counts);
  // What is known of all systems once the import is in stands beside the next step.
  const remarkOf = (remark: string) =>
    state === "ready" ? causes.find(({ code }) => code === remark) : undefined;
  const uneven = remarkOf("uneven_coverage");
  const shortened = remarkOf("shortened_names");
  if (found.length === 0) return null;
  return (
    <div className="fields">
      <dl className={styles["counts"]}>
        {found.map((count) => (
          <div key={count.key} className={styles["count"]}>
            <dt>{count.name}</dt>
            <dd>{count.value}</dd>
          </div>
        ))}
      </dl>
      {uneven && <p className="soft">{firstLine(uneven.message)}</p>}
      {pooled && <p className="soft">{pooled}</p>}
      {shortened && (
        <div className="row-centered">
          <p className="soft">{firstLine(shortened.message)}</p>
          <Button
            size="small"
            variant="quiet"
            aria-label="Change system names"
            onClick={() => showSetting("system_names")}
          >
            Change
          </Button>
        </div>
      )}
    </div>
  );
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
    header: capitalized(key.replaceAll("_", " ")),
    cell: (row) => (
      <span className={styles["cell"]} dir="auto">
        {cellText(row[key])}
      </span>
    ),
  }));
}

/** As many as show how the columns were read. */
const ROWS_IN_SIGHT = 2;

/** Some rows as they were read: in sight while something asks how, else folded. */
function FirstRows({ found }: { readonly found: Import }) {
  const { sample } = found;
  const title = firstRowsWords(found);
  if (!canBeRead(found) || isPlain(found)) {
    return (
      <More summary={title}>
        <SampleRows rows={sample} />
      </More>
    );
  }
  const others = sample.slice(ROWS_IN_SIGHT);
  return (
    <Section title={title}>
      <SampleRows rows={sample.slice(0, ROWS_IN_SIGHT)} />
      {others.length > 0 && (
        <More summary={countOf(others.length, "more row")}>
          <SampleRows rows={others} />
        </More>
      )}
    </Section>
  );
}

function SampleRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table
      folds
      caption="First rows"
      columns={columnsOf(rows)}
      rows={rows}
      rowKey={(row) => JSON.stringify(row)}
    />
  );
}

/** The one thing that follows an import: more files, the questions that people judge, or the work itself. */
function NextStep({ slug }: { readonly slug: string }) {
  const setup = useQuery(read("/api/projects/{slug}/setup", { slug })).data;
  const voted = useVotedPart(slug);
  if (voted) return <VotedPart slug={slug} />;
  // It takes a moment to count, in which nobody should take the page for an end.
  if (!setup) return <Notice title="Finding the next step…" />;
  const { page, act, words } = nextStepOf(setup);
  return (
    <Notice
      title={words}
      actions={
        <ProjectButtonLink page={page} variant="primary">
          {act}
        </ProjectButtonLink>
      }
    />
  );
}

function bringsVotes({ state, counts }: Import): boolean {
  return state === "applied" && ((counts["votes"] ?? 0) > 0 || (counts["decisions"] ?? 0) > 0);
}

/** The sample while it is all questions and votes of files stand on some of them; else null. */
function useVotedPart(slug: string): Sample | null {
  const imports = useQuery(read("/api/projects/{slug}/imports", { slug })).data;
  const sample = useQuery(read("/api/projects/{slug}/sample", { slug })).data;
  // A part that somebody chose stays chosen; raters' own votes alone are work under way.
  if (!sample || sample.method !== "all" || !imports?.some(bringsVotes)) return null;
  return sample.judged > 0 && sample.judged < sample.sampled ? sample : null;
}

export function VotedPart({ slug }: { readonly slug: string }) {
  const sample = useVotedPart(slug);
  const draw = useDraw(slug);
  if (!sample) return null;
  const { judged, sampled } = sample;
  return (
    <Notice
      tone="warning"
      title={`Only ${formatCount(judged)} of ${countOf(sampled, "question")} ${judged === 1 ? "has" : "have"} votes`}
      actions={
        <Button variant="primary" busy={draw.isPending} onClick={() => draw.mutate({ method: "votes" })}>
          Use only questions with votes
        </Button>
      }
    >
      <p>
        For the other {countOf(sampled - judged, "question")}, people’s scores use exact match until somebody
        judges the answers. If nobody is going to judge them, use only the questions with votes. Scores for
        all questions are still shown.
      </p>
      <Refusal error={draw.error} />
    </Notice>
  );
}
