/** Systems beside each other: where they say the same, what two could do together, easy and hard questions. */
import { read } from "../../api/client";
import type { SystemsBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { boundedCells, type Figure, figureColumn, intervalWords } from "../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { PairGrid, type Square } from "../../components/pair-grid";
import { EmptyState, QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { FewNotice } from "../../domain/few-notice";
import { computingWords, useIntervals } from "../../domain/intervals";
import {
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import type { CsvColumn } from "../../lib/csv";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { RightBy } from "./right-by";
import { waitingWords } from "./words";

export function SystemsPage() {
  const project = useProject();
  useTitle("Compare systems", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/systems-board", { slug: project.slug }, { ...filter, intervals }),
  );
  return (
    <Page>
      <PageHeader title="Compare systems" lead={query.data && headline(query.data)} />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(board) =>
          board.systems.length < 2 ? (
            <EmptyState title="Systems will be compared with each other here">
              <p>It needs answers of two systems to the same questions.</p>
            </EmptyState>
          ) : (
            <Board board={board} computing={computing} filter={filter} search={search} />
          )
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
      ? ` Programs had a part in settling ${countOf(byPrograms, "answer")} of the systems’ ${formatCount(answersOf(systems))}; no audit corrects these figures.`
      : "";
  const open = pending > 0 ? `; ${waitingWords(pending)}` : "";
  return `${right}${open}.${programs}`;
}

interface BoardProps {
  readonly board: SystemsBoard;
  readonly computing: ReturnType<typeof useIntervals>["computing"];
  readonly filter: Filter;
  readonly search: SearchState;
}

function Board({ board, computing, filter, search }: BoardProps) {
  return (
    <>
      <p className="soft">{computingWords(computing) || togetherWords(board.oracle)}</p>
      {(board.pending > 0 || board.by_programs > 0) && <p className="soft">{rightWords(board)}</p>}
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
          <CsvButton
            name="pairs-of-systems"
            columns={PAIR_COLUMNS}
            rows={board.pairs}
            signature={board.signature}
          />
        </div>
      </Section>
      <Section title="Easy and hard questions">
        <RightBy board={board} filter={filter} search={search} />
      </Section>
      <Section title="Coverage">
        <Table
          folds
          caption="Questions that each system answered"
          rows={board.systems}
          rowKey={({ key }) => key}
          columns={coverageColumns(board)}
          file={{ name: "coverage", signature: board.signature }}
        />
      </Section>
    </>
  );
}

function togetherWords({ low, high }: Figure): string {
  const squares = "In the squares the 95 % interval over questions shows where one points.";
  if (low === null || high === null) return squares;
  return `Together: 95 % interval ${formatPoints(low)} to ${formatPercent(high)} right. ${squares}`;
}

function answersOf(systems: SystemsBoard["systems"]): number {
  return systems.reduce((sum, { counts }) => sum + (counts["answered"] ?? 0), 0);
}

export const PAIR_COLUMNS: readonly CsvColumn<SystemsBoard["pairs"][number]>[] = [
  { key: "first", value: ({ first }) => first },
  { key: "second", value: ({ second }) => second },
  { key: "questions", value: ({ questions }) => questions },
  { key: "agreement", csv: ({ agreement }) => boundedCells("agreement", agreement) },
  { key: "right_together", csv: ({ oracle }) => boundedCells("right_together", oracle) },
];

/** How many questions each system answered, and how many right. */
function coverageColumns(board: SystemsBoard): readonly Column<SystemsBoard["systems"][number]>[] {
  return [
    {
      key: "system",
      header: "System",
      value: ({ name }) => name,
      csv: ({ key }) => ({ system: key, questions: board.questions }),
    },
    { key: "answered", header: "Answered", align: "end", value: ({ counts }) => counts["answered"] },
    figureColumn("answered_share"),
    { key: "right", header: "Right", align: "end", value: ({ counts }) => counts["right"] },
    figureColumn("right_share"),
  ];
}

interface SystemsGridProps {
  readonly board: SystemsBoard;
  readonly measure: "agreement" | "oracle";
  readonly title: string;
  readonly note: string;
}

/** A share for every two systems, as half a square. */
function SystemsGrid({ board, measure, title, note }: SystemsGridProps) {
  return (
    <PairGrid
      isHalf
      isUpright
      title={title}
      note={note}
      of="System"
      members={board.systems}
      pairs={board.pairs}
      endsOf={({ first, second }) => [first, second]}
      missing={NO_QUESTION}
      squareOf={(pair) => squareOf(pair[measure], pair.questions)}
    />
  );
}

const NO_QUESTION = "No question that both answered";

function squareOf(figure: Figure, questions: number): Square {
  const { value } = figure;
  if (value === null) return { depth: null, text: "–", title: NO_QUESTION };
  const interval = intervalWords(figure);
  const text = formatPoints(value);
  return {
    depth: value,
    text,
    title: [countOf(questions, "question"), interval].filter(Boolean).join(", "),
    content: (
      <>
        {text}
        {interval && <span className="visually-hidden">, {interval}</span>}
      </>
    ),
  };
}
