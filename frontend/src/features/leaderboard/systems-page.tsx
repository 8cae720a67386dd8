/** Systems beside each other: where they say the same, what two could do together, easy and hard questions. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { SystemsBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { SubNav } from "../../components/sub-nav";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { FewNotice } from "../../domain/few-notice";
import {
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import type { Figure } from "../../components/figure";
import { csvBounded, type CsvCells } from "../../lib/csv";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { CoverageTable } from "./coverage-table";
import styles from "./leaderboard-page.module.css";
import { RightBy } from "./right-by";
import { SystemsGrid } from "./systems-grid";

export function SystemsPage() {
  const project = useProject();
  useTitle("Systems beside each other", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const query = useQuery(read("/api/projects/{slug}/systems-board", { slug: project.slug }, filter));
  return (
    <Page>
      <PageHeader title="Leaderboard" lead={query.data && headline(query.data)} />
      <SubNav current="leaderboard/systems" />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(board) =>
          board.systems.length < 2 ? <TooFew /> : <Board board={board} filter={filter} search={search} />
        }
      </QueryView>
    </Page>
  );
}

function headline({
  systems,
  answered_by_all,
  oracle,
  pending,
  right_by,
  by_programs: byPrograms,
}: SystemsBoard): string {
  if (systems.length === 0) return "";
  if (oracle.value === null)
    return `${countOf(systems.length, "system")}, no question that all of them answered.`;
  const none = right_by[0]?.questions ?? 0;
  const hard =
    none === 0
      ? "every question has a system that knows it"
      : `${countOf(none, "question")} none of them has`;
  const all = countOf(answered_by_all, "question");
  const found = `the systems have ${formatPercent(oracle.value)} of ${all} right; ${hard}.`;
  const isUndecided = pending === answersOf(systems);
  if (isUndecided) return `People have decided no answer yet. By exact match, together ${found}`;
  // Right as settled is right by the word of programs, too, which may err.
  if (byPrograms > 0)
    return `${pending > 0 ? "As far as people and programs have decided" : "As people and programs decided"}, together ${found}`;
  return pending > 0 ? `As far as people have decided, together ${found}` : `Together ${found}`;
}

function rightWords({ pending, by_programs: byPrograms, systems }: SystemsBoard): string {
  const who = byPrograms > 0 ? "people and programs" : "people";
  const right = `Right is what equals a gold answer, as ${who} amended them${pending > 0 ? " so far" : ""}`;
  const programs =
    byPrograms > 0
      ? ` Programs settled ${countOf(byPrograms, "answer")} of the systems’ ${formatCount(answersOf(systems))}; no audit corrects these figures.`
      : "";
  const open = pending > 0 ? `; ${countOf(pending, "answer")} of systems are not decided yet` : "";
  return `${right}${open}.${programs}`;
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

function Board({ board: points, filter, search }: BoardProps) {
  const { slug } = useProject();
  const bounded = useQuery(
    read("/api/projects/{slug}/systems-board", { slug }, { ...filter, intervals: true }),
  );
  const board = bounded.data ?? points;
  return (
    <>
      <p className={styles["soft"]}>{intervalsWords(bounded, board.oracle)}</p>
      {(board.pending > 0 || board.by_programs > 0) && <p className={styles["soft"]}>{rightWords(board)}</p>}
      <FewNotice count={board.questions} thing="question" />
      <Section title="Same answers">
        <SystemsGrid
          board={board}
          measure="agreement"
          title="Questions on which two systems agree"
          note={`Share of the questions both answered on which their answers are equal, in percent of up to ${countOf(board.questions, "question")}.`}
        />
      </Section>
      <Section title="At least one right">
        <SystemsGrid
          board={board}
          measure="oracle"
          title="Questions that one of two systems has right"
          note={`Share of the questions both answered on which at least one of the two is right, in percent of up to ${countOf(board.questions, "question")}.`}
        />
        <div>
          <CsvButton name="pairs-of-systems" rows={board.pairs.map(pairCells)} signature={board.signature} />
        </div>
      </Section>
      <Section title="Easy and hard questions">
        <RightBy board={board} filter={filter} search={search} />
        <div>
          <CsvButton name="easy-and-hard-questions" rows={rightByCells(board)} signature={board.signature} />
        </div>
      </Section>
      <Section title="Coverage">
        <CoverageTable board={board} />
      </Section>
    </>
  );
}

interface IntervalsState {
  readonly isPending: boolean;
  readonly isError: boolean;
}

function intervalsWords({ isPending, isError }: IntervalsState, { low, high }: Figure): string {
  if (isPending) return "Intervals are being computed …";
  if (isError) return "The intervals could not be computed.";
  const squares = "In the squares the 95 % interval over questions shows where one points.";
  if (low === null || high === null) return squares;
  return `Together: 95 % interval ${formatPoints(low)} to ${formatPercent(high)} right. ${squares}`;
}

function answersOf(systems: SystemsBoard["systems"]): number {
  return systems.reduce((sum, { counts }) => sum + (counts["answered"] ?? 0), 0);
}

export function pairCells({ first, second, questions, ...figures }: SystemsBoard["pairs"][number]): CsvCells {
  const { agreement, oracle } = figures;
  return {
    first,
    second,
    questions,
    ...csvBounded("agreement", agreement.value, [agreement.low, agreement.high]),
    ...csvBounded("right_together", oracle.value, [oracle.low, oracle.high]),
  };
}

/** A row a number of systems, then one for any of them. */
export function rightByCells({ right_by: rows, answered_by_all: all, oracle }: SystemsBoard): CsvCells[] {
  const cells = ({ value, low, high }: Figure) => csvBounded("share", value, [low, high]);
  const any = { right_by: "any", questions: all - (rows[0]?.questions ?? 0), ...cells(oracle) };
  const own = rows.map(({ systems, questions, share }) => ({
    right_by: String(systems),
    questions,
    ...cells(share),
  }));
  return oracle.value === null ? own : [...own, any];
}
