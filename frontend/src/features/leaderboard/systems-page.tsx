/** Systems beside each other: where they say the same, what two could do together, easy and hard questions. */
import { read } from "../../api/client";
import type { SystemsBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { boundedCells, type Figure, figureColumn, intervalWords } from "../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { PairGrid, type Square } from "../../components/pair-grid";
import { QueryView } from "../../components/query-view";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { FewNotice } from "../../domain/few-notice";
import { AwaitingState } from "../../domain/first-step";
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
import { TwoSection } from "./two-section";
import { waitingWords } from "./words";

export function SystemsPage() {
  const project = useProject();
  useTitle("Systems compared", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/systems-board", { slug: project.slug }, { ...filter, intervals }),
  );
  return (
    <Page>
      <PageHeader title="Systems compared" lead={query.data && headline(query.data)} />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(board) =>
          board.systems.length < 2 ? (
            <AwaitingState title="Comparisons of systems appear here">
              <p>Comparisons require answers from two systems to the same questions.</p>
            </AwaitingState>
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
    return `${countOf(systems.length, "system")}. No question was answered by all of them.`;
  const found = foundWords({ answered_by_all, oracle, right_by });
  const isUndecided = pending === answersOf(systems);
  if (isUndecided) return `People have not decided any answers yet. By exact match, ${found}`;
  // Right as settled is right by the word of programs, too, which may err.
  if (byPrograms > 0)
    return `${pending > 0 ? "According to the decisions of people and judges so far" : "According to the decisions of people and judges"}, ${found}`;
  return pending > 0
    ? `According to people’s decisions so far, ${found}`
    : `According to people’s decisions, ${found}`;
}

/** Of how many questions some system knows the answer, each question by itself. */
function foundWords({
  answered_by_all: count,
  oracle,
  right_by,
}: Pick<SystemsBoard, "answered_by_all" | "oracle" | "right_by">): string {
  const none = right_by[0]?.questions ?? 0;
  const all = countOf(count, "question");
  if (count === 1)
    return `the only question that all systems answered was answered correctly by ${none === 0 ? "at least one" : "none"} of them.`;
  if (none === 0)
    return `each of the ${all} that all systems answered was answered correctly by at least one system.`;
  return `${formatPercent(oracle.value)} of the ${all} that all systems answered were answered correctly by at least one system; no system is correct on the other ${formatCount(none)}.`;
}

function rightWords({ pending, by_programs: byPrograms, systems }: SystemsBoard): string {
  const who = byPrograms > 0 ? "people and judges" : "people";
  const right = `An answer is correct if it equals one of the gold answers, as amended by ${who}${pending > 0 ? " so far" : ""}`;
  const programs =
    byPrograms > 0
      ? ` Automatic judges helped settle ${formatCount(byPrograms)} of the systems’ ${countOf(answersOf(systems), "answer")}; these figures are not corrected by an audit, so they may differ from what people would decide.`
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
      <div className="soft">
        <p>{computingWords(computing) || togetherWords(board.oracle)}</p>
        {(board.pending > 0 || board.by_programs > 0) && <p>{rightWords(board)}</p>}
      </div>
      <FewNotice count={board.questions} thing="question" />
      <Section title="Matching answers">
        <SystemsGrid
          board={board}
          measure="agreement"
          title="Matching answers for each pair of systems"
          note={`Percentage of questions on which two systems’ answers match. Each pair shares up to ${countOf(board.questions, "question")}.`}
        />
      </Section>
      <Section title="At least one correct">
        <SystemsGrid
          board={board}
          measure="oracle"
          title="Questions on which at least one of two systems is correct"
          note={`Percentage of questions on which at least one of two systems is correct. Each pair shares up to ${countOf(board.questions, "question")}. Select a number to see questions on which only the row’s system is correct. On that page, “Swap systems” shows the reverse.`}
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
      <TwoSection board={board} filter={filter} search={search} />
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
  const squares =
    "Select a square to see its 95% interval over questions. The CSV file of pairs has all intervals.";
  if (low === null || high === null) return squares;
  return `At least one correct: 95% interval ${formatPoints(low)} to ${formatPercent(high)}. ${squares}`;
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
    { key: "right", header: "Correct", align: "end", value: ({ counts }) => counts["right"] },
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
  const { sees_systems: seesSystems } = useProject();
  const places = new Map(board.systems.map(({ key }, place) => [key, place]));
  // A square stands in the row of the later one.
  const rowFirst = ({ first, second }: SystemPair): readonly [string, string] =>
    (places.get(first) ?? 0) > (places.get(second) ?? 0) ? [first, second] : [second, first];
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
      squareOf={(pair) =>
        squareOf(
          pair[measure],
          pair.questions,
          measure === "oracle" && seesSystems ? rowFirst(pair) : undefined,
        )
      }
    />
  );
}

type SystemPair = SystemsBoard["pairs"][number];

const NO_QUESTION = "No question answered by both";

/** onlyRight: the system that is right and the one that is wrong on the questions that the square opens. */
function squareOf(figure: Figure, questions: number, onlyRight?: readonly [string, string]): Square {
  const { value } = figure;
  if (value === null) return { depth: null, text: "–", title: NO_QUESTION };
  const interval = intervalWords(figure);
  const text = formatPoints(value);
  return {
    depth: value,
    text,
    title: [countOf(questions, "question"), interval].filter(Boolean).join(", "),
    isLink: onlyRight !== undefined,
    content: (
      <>
        {onlyRight ? (
          <ProjectLink page="answers" search={{ only_right: onlyRight[0], only_wrong: onlyRight[1] }}>
            {text}
          </ProjectLink>
        ) : (
          text
        )}
        {interval && <span className="visually-hidden">, {interval}</span>}
      </>
    ),
  };
}
