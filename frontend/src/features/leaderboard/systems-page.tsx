/** Systems beside each other: where they say the same, what two could do together, easy and hard questions. */
import { useQuery } from "@tanstack/react-query";
import type { SystemsBoard } from "../../api/contract";
import { systemsBoardQuery } from "../../api/leaderboard/systems-board";
import { useProject } from "../../api/projects/project";
import { CsvButton } from "../../components/csv-button";
import { EmptyState } from "../../components/empty-state";
import { LeaderboardNav } from "../../components/leaderboard-nav";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { QuestionFilter } from "../../components/question-filter";
import { countOf, formatPercent } from "../../lib/numbers";
import { type QuestionFilter as Filter, readFilter } from "../../lib/question-filter";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { CoverageTable } from "./coverage-table";
import styles from "./leaderboard-page.module.css";
import { SystemsGrid } from "./systems-grid";
import { RightBy } from "./right-by";

export function SystemsPage() {
  const project = useProject();
  useTitle("Systems beside each other", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const query = useQuery(systemsBoardQuery(project.slug, filter));
  return (
    <Page>
      <PageHeader title="Leaderboard" lead={query.data && headline(query.data)} />
      <LeaderboardNav current="leaderboard/systems" />
      <QuestionFilter search={search} />
      <QueryView query={query}>
        {(board) =>
          board.systems.length < 2 ? <TooFew /> : <Board board={board} filter={filter} search={search} />
        }
      </QueryView>
    </Page>
  );
}

function headline({ systems, answered_by_all, oracle, right_by }: SystemsBoard): string {
  if (systems.length === 0) return "";
  if (oracle === null) return `${countOf(systems.length, "system")}, no question that all of them answered.`;
  const none = right_by[0] ?? 0;
  const hard =
    none === 0
      ? "every question has a system that knows it"
      : `${countOf(none, "question")} none of them has`;
  const all = countOf(answered_by_all, "question");
  return `Together the systems have ${formatPercent(oracle)} of ${all} right; ${hard}.`;
}

function TooFew() {
  return (
    <EmptyState title="Systems will be compared with each other here">
      <p>It needs answers of two systems to the same questions.</p>
    </EmptyState>
  );
}

interface BoardProps {
  readonly board: SystemsBoard;
  readonly filter: Filter;
  readonly search: SearchState;
}

function Board({ board, filter, search }: BoardProps) {
  return (
    <>
      {board.pending > 0 && (
        <p className={styles["soft"]}>
          Right is what equals a gold answer, as people amended them so far;{" "}
          {countOf(board.pending, "answer")} of systems are not decided yet.
        </p>
      )}
      <Section title="Same answers">
        <p className={styles["soft"]}>
          Share of the questions both answered on which their answers are equal, in percent of up to{" "}
          {countOf(board.questions, "question")}.
        </p>
        <SystemsGrid board={board} measure="agreement" caption="Questions on which two systems agree" />
      </Section>
      <Section title="Right together">
        <p className={styles["soft"]}>
          Share of the questions both answered on which at least one of the two is right, in percent of up to{" "}
          {countOf(board.questions, "question")}.
        </p>
        <SystemsGrid board={board} measure="oracle" caption="Questions that one of two systems has right" />
        <div>
          <CsvButton name="pairs-of-systems" rows={board.pairs.map(pairCsv)} />
        </div>
      </Section>
      <Section title="Easy and hard questions">
        <RightBy board={board} filter={filter} search={search} />
        <div>
          <CsvButton name="easy-and-hard-questions" rows={board.right_by.map(rightByCsv)} />
        </div>
      </Section>
      <Section title="Coverage">
        <CoverageTable board={board} />
        <div>
          <CsvButton name="coverage" rows={board.systems.map((row) => coverageCsv(row, board.questions))} />
        </div>
      </Section>
    </>
  );
}

type Pair = SystemsBoard["pairs"][number];
type Coverage = SystemsBoard["systems"][number];

function pairCsv({ first, second, agreement, oracle }: Pair) {
  return { first, second, agreement, right_together: oracle };
}

function rightByCsv(questions: number, right_by: number) {
  return { right_by, questions };
}

function coverageCsv({ system, answered, right }: Coverage, questions: number) {
  return { system, questions, answered, right };
}
