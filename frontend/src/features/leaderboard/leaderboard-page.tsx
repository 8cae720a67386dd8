/** How good the systems are by every way of judging, and how far people change the picture. */
import { useQuery } from "@tanstack/react-query";
import type { Leaderboard } from "../../api/contract";
import { leaderboardQuery } from "../../api/leaderboard/leaderboard";
import { useProject } from "../../api/projects/project";
import { EmptyState } from "../../components/empty-state";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { SegmentedControl } from "../../components/segmented-control";
import { Skeleton } from "../../components/skeleton";
import { useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { BoardControls } from "./board-controls";
import { BoardTable } from "./board-table";
import { PairComparison } from "./pair-comparison";
import { SlopeSection } from "./slope-section";
import { useBoard } from "./use-board";
import { headline } from "./words";

const SCOPES = [
  { value: "sample", name: "Judged sample" },
  { value: "entire", name: "All questions" },
] as const;

type Scope = (typeof SCOPES)[number]["value"];

export function LeaderboardPage() {
  const project = useProject();
  useTitle("Leaderboard", project.name);
  const search = useSearchState();
  const scope: Scope = search.read("scope") === "entire" ? "entire" : "sample";
  const query = useQuery(leaderboardQuery(project.slug, scope));
  return (
    <Page>
      <PageHeader
        title="Leaderboard"
        lead={query.data && query.data.rows.length > 0 && headline(query.data)}
        actions={
          <SegmentedControl
            label="Questions"
            value={scope}
            options={SCOPES}
            onChange={(next) => search.write({ scope: next === "sample" ? undefined : next })}
          />
        }
      />
      <QueryView query={query} loading={<Skeleton lines={12} height={2} />}>
        {(board) => (board.rows.length === 0 ? <NoSystems /> : <Board board={board} />)}
      </QueryView>
    </Page>
  );
}

function NoSystems() {
  return (
    <EmptyState
      title="Systems will be compared here"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import answers of systems
        </ProjectButtonLink>
      }
    >
      <p>
        One row a system, one column a way of judging: exact match at once, others as judges run and people
        decide.
      </p>
    </EmptyState>
  );
}

function Board({ board }: { readonly board: Leaderboard }) {
  const view = useBoard(board);
  return (
    <>
      <Section title="Systems">
        <BoardControls board={board} view={view} />
        <BoardTable board={board} view={view} />
        <PairComparison board={board} view={view} />
      </Section>
      <Section title="From exact match to people">
        <SlopeSection board={board} view={view} />
      </Section>
    </>
  );
}
