/** The ledger of gold answers: what was added or removed, why, and the way back. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { GoldChange, Ledger as GoldLedger } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Checkbox } from "../../components/form";
import { ConfirmDialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { labelName } from "../../domain/labels";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import styles from "./gold-page.module.css";

export function GoldPage() {
  const project = useProject();
  useTitle("Gold answers", project.name);
  const search = useSearchState();
  const question = search.read("question");
  const page = search.readNumber("page", 1);
  const query = useQuery(
    read("/api/projects/{slug}/gold", { slug: project.slug }, { page, ...(question && { question }) }),
  );
  return (
    <Page width="reading">
      <PageHeader
        title="Gold answers"
        lead={query.data && summaryWords(query.data)}
        actions={
          <>
            {question && (
              <Button size="small" onClick={() => search.write({ question: undefined, page: undefined })}>
                Show all questions
              </Button>
            )}
            {project.role === "lead" && (
              <ProjectButtonLink page="gold/proposals" {...(question && { search: { question } })}>
                Proposals
              </ProjectButtonLink>
            )}
          </>
        }
      />
      <QueryView query={query}>
        {(ledger) => (
          <>
            <GoldConflicts ledger={ledger} />
            {ledger.changes.length === 0 ? (
              <EmptyState
                title="Every change of the gold list will be written down here"
                action={<ProjectButtonLink page="queue">Open the queue</ProjectButtonLink>}
              >
                <p>
                  An answer that people accept joins the gold answers of its question, one they reject leaves
                  them. Each change keeps its reason and can be undone.
                </p>
              </EmptyState>
            ) : (
              <Ledger ledger={ledger} slug={project.slug} mayUndo={project.role === "lead"} />
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}

function summaryWords({ summary, judged_gold: gold }: GoldLedger): string {
  if (summary.original + summary.added + summary.removed === 0)
    return "No gold answers have been imported yet.";
  const moved = `${countOf(summary.original, "original gold answer")}, ${countOf(summary.added, "answer")} added, ${countOf(summary.removed, "answer")} removed.`;
  if (gold.judged === 0) return moved;
  return `${moved} People rejected ${formatCount(gold.rejected)} of ${countOf(gold.judged, "original gold answer")} they judged (${formatPercent(gold.share.value)}, 95 % interval ${formatPoints(gold.share.low)} to ${formatPercent(gold.share.high)}).`;
}

interface LedgerProps {
  readonly ledger: GoldLedger;
  readonly slug: string;
  readonly mayUndo: boolean;
}

function Ledger({ ledger, slug, mayUndo }: LedgerProps) {
  const [undoing, setUndoing] = useState<GoldChange | null>(null);
  return (
    <div className={styles["ledger"]}>
      <p>
        <ProjectLink page="export">The whole ledger as CSV stands among the exports</ProjectLink>
      </p>
      <LedgerDays changes={ledger.changes} onUndo={mayUndo ? setUndoing : null} />
      <Pagination label="Pages of the ledger" of={ledger} />
      {undoing && <UndoDialog slug={slug} change={undoing} onClose={() => setUndoing(null)} />}
    </div>
  );
}

interface GoldConflictsProps {
  readonly ledger: GoldLedger;
}

function GoldConflicts({ ledger }: GoldConflictsProps) {
  const { conflict_count: count, conflicts } = ledger;
  if (count === 0) return null;
  const further = count - conflicts.length;
  return (
    <Notice tone="warning" title={`${countOf(count, "answer")} rejected, an equal one accepted`}>
      <p>
        Exact match holds these answers equal, but people accepted one and rejected the other. Rejecting one
        does not take the accepted one off the gold list. Open either and decide it anew to settle this.
      </p>
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.rejected_id}>
            <span dir="auto">{conflict.question}</span>: accepted{" "}
            <ProjectLink page={`answers/${conflict.accepted_id}`}>
              <span dir="auto">{conflict.accepted}</span>
            </ProjectLink>
            , rejected{" "}
            <ProjectLink page={`answers/${conflict.rejected_id}`}>
              <span dir="auto">{conflict.rejected}</span>
            </ProjectLink>
          </li>
        ))}
      </ul>
      {further > 0 && <p>{countOf(further, "further answer")} not shown; settle these first.</p>}
    </Notice>
  );
}

interface LedgerDaysProps {
  readonly changes: readonly GoldChange[];
  readonly onUndo: ((change: GoldChange) => void) | null;
}

function LedgerDays({ changes, onUndo }: LedgerDaysProps) {
  return daysOf(changes).map((day) => (
    <section key={day.date} className={styles["day"]}>
      <h2 className={styles["date"]}>{day.date}</h2>
      <ul>
        {day.changes.map((change) => (
          <ChangeRow key={change.id} change={change} onUndo={onUndo} />
        ))}
      </ul>
    </section>
  ));
}

interface ChangeRowProps {
  readonly change: GoldChange;
  readonly onUndo: LedgerDaysProps["onUndo"];
}

function ChangeRow({ change, onUndo }: ChangeRowProps) {
  const isUndone = change.undone_at !== null;
  return (
    <li className={styles["change"]} data-undone={isUndone}>
      <span className={styles["sign"]} data-action={change.action} aria-hidden="true">
        {change.action === "added" ? "+" : "−"}
      </span>
      <div className={styles["words"]}>
        <p>
          <span className="visually-hidden">{change.action === "added" ? "Added: " : "Removed: "}</span>
          <span className={styles["text"]} dir="auto">
            {change.text}
          </span>
        </p>
        <p className={styles["question"]}>
          <ProjectLink page="gold" search={{ question: change.question_id }}>
            <span dir="auto">{change.question}</span>
          </ProjectLink>
        </p>
        <p className="soft">
          {ruleWords(change)}
          {change.kind === "regex" && " A pattern of writings."}
          {change.reason && <span dir="auto"> “{change.reason}”</span>} <RelativeTime at={change.at} />
          {change.answer_id !== null && (
            <>
              {" · "}
              <ProjectLink page={`answers/${change.answer_id}`}>The answer’s history</ProjectLink>
            </>
          )}
        </p>
        {change.undone_at && (
          <p className="soft">
            <Badge>Undone</Badge> <span dir="auto">{change.undo_reason}</span>{" "}
            <RelativeTime at={change.undone_at} />
          </p>
        )}
      </div>
      {onUndo && !isUndone && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onUndo(change)}
          aria-label={`Undo: ${change.text}`}
        >
          Undo
        </Button>
      )}
    </li>
  );
}

interface Day {
  readonly date: string;
  readonly changes: readonly GoldChange[];
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

/** Changes by day, in the order given. */
function daysOf(changes: readonly GoldChange[]): Day[] {
  const days = new Map<string, GoldChange[]>();
  for (const change of changes) {
    const date = DATE.format(new Date(change.at));
    days.set(date, [...(days.get(date) ?? []), change]);
  }
  return [...days].map(([date, list]) => ({ date, changes: list }));
}

const RULE_WORDS: Readonly<Record<string, string>> = {
  amend: "Followed the decision on the answer.",
  unanimous: "All raters agreed.",
  majority: "A majority of raters decided.",
  two_of_three: "Two of three raters decided.",
  only_rater: "The rater decided.",
  adjudicated: "Decided in the queue.",
  imported: "Came with an import.",
  proposal: "A proposal was accepted.",
};

/** Who or what made the change; a rule's key is shown as words where we know no better ones. */
function ruleWords(change: Pick<GoldChange, "rule" | "by">): string {
  const words = RULE_WORDS[change.rule] ?? `${labelName(change.rule)}.`;
  return change.by ? `${words} By ${change.by}.` : words;
}

interface UndoDialogProps {
  readonly slug: string;
  readonly change: GoldChange;
  readonly onClose: () => void;
}

function UndoDialog({ slug, change, onClose }: UndoDialogProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <ConfirmDialog
      title={
        change.action === "added" ? "Take this answer off the gold list again?" : "Put this answer back?"
      }
      confirm="Undo the change"
      reasonLabel="Why"
      onConfirm={(reason) =>
        isWhole
          ? post("/api/projects/{slug}/gold/groups/{group}/undo", { slug, group: change.group }, { reason })
          : post("/api/projects/{slug}/gold/{change}/undo", { slug, change: change.id }, { reason })
      }
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{change.text}</strong>
        <br />
        <span dir="auto">{change.question}</span>
      </p>
      <p>
        Scores against the amended gold list change with it. The decision about the answer itself stays as it
        is.
      </p>
      {change.group !== "" && (
        <Checkbox
          label="Undo everything that was accepted together with it"
          checked={isWhole}
          onChange={setWhole}
        />
      )}
    </ConfirmDialog>
  );
}
