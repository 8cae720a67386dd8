/** The gold answers: question by question, or every change by date; why each was made, and the way back. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { GoldQuestions } from "../../api/schema";
import { useProject } from "../../api/project";
import { Page, PageHeader, useTitle } from "../../components/page";
import { SegmentedControl } from "../../components/segmented-control";
import { Term } from "../../components/term";
import { SettledNotice } from "../../domain/settled-notice";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { LedgerSection } from "./ledger-section";
import { askedOf, QuestionsSection } from "./questions-section";

const VIEWS = [
  { value: "questions", name: "By question" },
  { value: "changes", name: "Changes by date" },
] as const;

export function GoldPage() {
  const project = useProject();
  useTitle("Gold answers", project.name);
  const search = useSearchState();
  const isByDate = search.read("view") === "changes";
  const query = useQuery(
    read("/api/projects/{slug}/gold/questions", { slug: project.slug }, isByDate ? {} : askedOf(search)),
  );
  return (
    <Page width="reading">
      <PageHeader
        title={<Term name="gold-answer">Gold answers</Term>}
        lead={query.data && summaryWords(query.data)}
      />
      <SettledNotice page="gold" />
      <div>
        <SegmentedControl
          label="View"
          value={isByDate ? "changes" : "questions"}
          options={VIEWS}
          onChange={(view) =>
            search.write({
              view: view === "changes" ? view : undefined,
              cursor: undefined,
              question: undefined,
            })
          }
        />
      </div>
      {isByDate ? <LedgerSection /> : <QuestionsSection query={query} />}
    </Page>
  );
}

function summaryWords({ counts, judged_gold: gold }: GoldQuestions): string {
  if (counts.original + counts.added + counts.removed === 0) return "No gold answers have been imported yet.";
  const moved = `${countOf(counts.original, "original gold answer")}, ${countOf(counts.added, "answer")} added, ${countOf(counts.removed, "answer")} removed.`;
  if (gold.judged === 0) return moved;
  if (gold.judged === 1)
    return `${moved} People ${gold.rejected === 1 ? "rejected" : "accepted"} the one original gold answer that they judged.`;
  return `${moved} People rejected ${formatCount(gold.rejected)} of the ${countOf(gold.judged, "original gold answer")} that they judged (${formatPercent(gold.share.value)}, 95% interval ${formatPoints(gold.share.low)} to ${formatPercent(gold.share.high)}).`;
}
