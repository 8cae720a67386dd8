/** Systems by ways of judging, data set by data set. */
import { useQuery } from "@tanstack/react-query";
import type { ByDataset } from "../../api/contract";
import { byDatasetQuery } from "../../api/leaderboard/by-dataset";
import { useProject } from "../../api/projects/project";
import { EmptyState } from "../../components/empty-state";
import { LeaderboardNav } from "../../components/leaderboard-nav";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { QuestionFilter } from "../../components/question-filter";
import { countOf } from "../../lib/numbers";
import { readFilter } from "../../lib/question-filter";
import { useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { DatasetsTable } from "./datasets-table";

export function DatasetsPage() {
  const project = useProject();
  useTitle("Scores by data set", project.name);
  const search = useSearchState();
  const query = useQuery(byDatasetQuery(project.slug, readFilter(search)));
  return (
    <Page>
      <PageHeader title="Leaderboard" lead={query.data && headline(query.data)} />
      <LeaderboardNav current="leaderboard/datasets" />
      <QuestionFilter search={search} />
      <QueryView query={query}>
        {(found) =>
          found.rows.length === 0 ? (
            <Nothing />
          ) : (
            <Section title="By data set">
              <DatasetsTable found={found} />
            </Section>
          )
        }
      </QueryView>
    </Page>
  );
}

function headline({ datasets, systems }: ByDataset): string {
  const pending = datasets.reduce((sum, each) => sum + each.pending, 0);
  const open = pending > 0 ? ` ${countOf(pending, "answer")} of systems are not decided yet.` : "";
  const alone = datasets.length === 1 ? " With one data set these are the leaderboard’s own scores." : "";
  if (systems.length === 0) return "";
  return `${countOf(systems.length, "system")} on ${countOf(datasets.length, "data set")}.${alone}${open}`;
}

function Nothing() {
  return (
    <EmptyState title="Data sets will be set beside each other here">
      <p>
        It needs answers that a judge or people have judged, and questions whose file names their data set.
      </p>
    </EmptyState>
  );
}
