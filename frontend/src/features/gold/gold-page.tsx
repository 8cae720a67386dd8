/** The ledger of gold answers: what was added or removed, why, and the way back. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { GoldChange, GoldLedger } from "../../api/contract";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { countOf, formatCount } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { GoldConflicts } from "./gold-conflicts";
import styles from "./gold-page.module.css";
import { LedgerDays } from "./ledger-days";
import { UndoDialog } from "./undo-dialog";

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
          question && (
            <Button size="small" onClick={() => search.write({ question: undefined, page: undefined })}>
              Show all questions
            </Button>
          )
        }
      />
      <QueryView query={query}>
        {(ledger) => (
          <>
            <GoldConflicts ledger={ledger} />
            {ledger.changes.length === 0 ? (
              <NoChanges />
            ) : (
              <Ledger
                ledger={ledger}
                slug={project.slug}
                mayUndo={project.role === "lead"}
                onPage={(next) => search.write({ page: next })}
              />
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
  return `${moved} People rejected ${formatCount(gold.rejected)} of ${countOf(gold.judged, "original gold answer")} they judged (${gold.words}).`;
}

function NoChanges() {
  return (
    <EmptyState
      title="Every change of the gold list will be written down here"
      action={<ProjectButtonLink page="queue">Open the queue</ProjectButtonLink>}
    >
      <p>
        An answer that people accept joins the gold answers of its question, one they reject leaves them. Each
        change keeps its reason and can be undone.
      </p>
    </EmptyState>
  );
}

interface LedgerProps {
  readonly ledger: GoldLedger;
  readonly slug: string;
  readonly mayUndo: boolean;
  readonly onPage: (page: number) => void;
}

function Ledger({ ledger, slug, mayUndo, onPage }: LedgerProps) {
  const [undoing, setUndoing] = useState<GoldChange | null>(null);
  return (
    <div className={styles["ledger"]}>
      <p>
        <ProjectLink page="export">The whole ledger as CSV stands among the exports</ProjectLink>
      </p>
      <LedgerDays changes={ledger.changes} onUndo={mayUndo ? setUndoing : null} />
      <Pagination
        label="Pages of the ledger"
        page={ledger.page ?? 1}
        pageCount={ledger.page_count ?? 1}
        onChange={onPage}
      />
      {undoing && <UndoDialog slug={slug} change={undoing} onClose={() => setUndoing(null)} />}
    </div>
  );
}
