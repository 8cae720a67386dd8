/** Systems by ways of judging, data set by data set. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ByDataset } from "../../api/schema";
import { useProject } from "../../api/project";
import { SubNav } from "../../components/sub-nav";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { FewNotice } from "../../domain/few-notice";
import { QuestionFilterFields, readFilter } from "../../domain/question-filter";
import { ReferenceScores } from "../../domain/reference-scores";
import { inForce, type Measure } from "../../domain/references";
import { countOf } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { placedIn } from "./datasets";
import { DatasetsTable } from "./datasets-table";
import styles from "./leaderboard-page.module.css";
import { CORRECTED } from "./standings";
import { settledWords } from "./words";

export function DatasetsPage() {
  const project = useProject();
  useTitle("Scores by data set", project.name);
  const search = useSearchState();
  const query = useQuery(
    read("/api/projects/{slug}/leaderboard/datasets", { slug: project.slug }, readFilter(search)),
  );
  const { data: kept } = useQuery(read("/api/projects/{slug}/reference-scores", { slug: project.slug }));
  const { data: choices } = useQuery(read("/api/projects/{slug}/filters", { slug: project.slug }));
  const placed = (found: ByDataset) =>
    placedIn(inForce(kept ?? [], "system"), choices && choices.datasets.length > 1 ? [] : namesOf(found));
  return (
    <Page>
      <PageHeader title="Leaderboard" lead={query.data && headline(query.data)} />
      <SubNav current="leaderboard/datasets" />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(found) =>
          found.rows.length === 0 ? (
            <Nothing />
          ) : (
            <Section title="By data set">
              <p className={styles["soft"]}>
                Scores in percent; n stands where fewer questions count. The best of each row is bold.
                {settledWords(found.programs_share, hasCorrected(found))}
              </p>
              <FewNotice
                count={found.datasets.reduce((sum, { questions }) => sum + questions, 0)}
                thing="question"
              />
              <DatasetsTable found={found} references={placed(found)} />
            </Section>
          )
        }
      </QueryView>
      {query.data && query.data.rows.length > 0 && (
        <ReferenceScores subject="system" measures={measuresOf(query.data)} />
      )}
    </Page>
  );
}

function hasCorrected({ rows }: ByDataset): boolean {
  return rows.some(({ column }) => column === CORRECTED);
}

function namesOf({ datasets }: ByDataset): readonly string[] {
  return datasets.map(({ name }) => name);
}

function measuresOf({ rows }: ByDataset): readonly Measure[] {
  return [...new Map(rows.map(({ column, name }) => [column, { key: column, name }])).values()];
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
