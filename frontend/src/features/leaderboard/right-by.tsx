/** How many questions are answered right by none, by one, … by all of the systems; and these questions. */
import { useQuery } from "@tanstack/react-query";
import { get, kept, read, readPages } from "../../api/client";
import type { RightByQuestion, SystemsBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { boundedCells, type Figure, intervalWords } from "../../components/figure";
import { Pagination } from "../../components/pagination";
import { ChartFrame } from "../../components/plot-figure";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";
import { AXIS_NAME_HEIGHT, namesAxis, type Drawn, type Plot } from "../../lib/chart-axes";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import styles from "./leaderboard-page.module.css";

interface RightByProps {
  readonly board: SystemsBoard;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

const TITLE = "Questions by number of correct systems";

export function RightBy({ board, filter, search }: RightByProps) {
  const { right_by: rows, answered_by_all: all, oracle } = board;
  if (rows.length === 0) return <p>No question was answered by every system.</p>;
  const chosen = chosenOf(search, rows);
  const nameOf = (systems: Row["systems"]) => rightByName(systems, rows.length - 1);
  const any: Row = { systems: "any", questions: all - (rows[0]?.questions ?? 0), share: oracle };
  const percent = (share: number | null) => (share === null ? null : share * 100);
  const bars = rows.map(({ systems, share }) => ({
    name: nameOf(systems),
    share: (share.value ?? 0) * 100,
    low: percent(share.low),
    high: percent(share.high),
  }));
  return (
    <>
      <ChartFrame
        title={TITLE}
        note={`Based on ${countOf(all, "question")} that every system answered.`}
        draw={(plot, width) => drawRightBy(plot, width, bars)}
      >
        <Table<Row>
          caption={TITLE}
          isNarrow
          keepsOrder
          rows={rows}
          rowKey={({ systems }) => String(systems)}
          columns={columnsOf(nameOf, chosen, search)}
          file={{
            name: "easy-and-hard-questions",
            rows: oracle.value === null ? rows : [...rows, any],
            signature: board.signature,
          }}
        />
      </ChartFrame>
      {chosen !== null && (
        <RightByQuestions
          key={chosen}
          rightBy={chosen}
          name={nameOf(chosen)}
          filter={filter}
          search={search}
        />
      )}
    </>
  );
}

type RightByNumber = SystemsBoard["right_by"][number];
/** Of so many systems; the file has a row for any of them, too. */
type Row = Omit<RightByNumber, "systems"> & { readonly systems: number | "any" };

function columnsOf(
  nameOf: (systems: Row["systems"]) => string,
  chosen: number | null,
  search: SearchState,
): readonly Column<Row>[] {
  const open = ({ systems }: Row) =>
    search.write({ right_by: systems === chosen ? undefined : systems, cursor: undefined });
  return [
    {
      key: "right_by",
      header: "Systems that answered correctly",
      cell: ({ systems }) => nameOf(systems),
      value: ({ systems }) => String(systems),
    },
    {
      key: "questions",
      header: "Questions",
      align: "end",
      cell: (row) =>
        row.questions === 0 ? (
          "0"
        ) : (
          <button
            type="button"
            className={styles["open"]}
            aria-expanded={row.systems === chosen}
            onClick={() => open(row)}
          >
            {formatCount(row.questions)}
            <span className="visually-hidden"> questions, show list</span>
          </button>
        ),
      value: ({ questions }) => questions,
    },
    {
      key: "share",
      header: "Share",
      note: "bar: 0 to 100%",
      cell: ({ share }) => (
        <span className={styles["bar"]}>
          <span className={styles["rail"]}>
            <span style={{ inlineSize: `${100 * (share.value ?? 0)}%` }} />
          </span>
          {formatPercent(share.value)}
          <Range figure={share} />
        </span>
      ),
      csv: ({ share }) => boundedCells("share", share),
    },
  ];
}

function Range({ figure: { low, high } }: { readonly figure: Figure }) {
  if (low === null || high === null) return null;
  return (
    <small className="ink-soft" title={intervalWords({ low, high })}>
      {`${formatPoints(low)}–${formatPoints(high)}`}
    </small>
  );
}

/** The row that the address opens, where the table has it and it has questions. */
function chosenOf(search: SearchState, rows: readonly RightByNumber[]): number | null {
  const text = search.read("right_by");
  const chosen = text === undefined ? -1 : Number(text);
  return rows[chosen]?.questions ? chosen : null;
}

function rightByName(systems: Row["systems"], all: number): string {
  if (systems === "any") return systems;
  if (systems === 0) return "none (hard)";
  return systems === all ? `all ${formatCount(all)} (easy)` : formatCount(systems);
}

interface RightByQuestionsProps extends Omit<RightByProps, "board"> {
  readonly rightBy: number;
  /** "none (hard)". */
  readonly name: string;
}

/** The questions that so many systems have right, each of which opens its answers. */
function RightByQuestions({ rightBy, name, filter, search }: RightByQuestionsProps) {
  const { slug } = useProject();
  const cursor = search.read("cursor");
  const asked = { ...filter, right_by: rightBy };
  const query = useQuery(kept(read(QUESTIONS, { slug }, { ...asked, cursor })));
  const readAll = () =>
    readPages(
      (turn) => get(QUESTIONS, { slug }, { ...asked, ...turn }),
      ({ questions }) => questions,
    );
  return (
    <QueryView query={query}>
      {(found) => (
        <>
          <p className="soft">
            Systems that answered correctly: {name}. {countOf(found.count, "question")}. Select a question to
            see its answers.
          </p>
          <Table
            folds
            keepsOrder
            caption={`Questions by number of correct systems: ${name}`}
            rows={found.questions}
            rowKey={({ id }) => id}
            columns={QUESTION_COLUMNS}
            file={{ name: `questions-right-by-${rightBy}`, readAll }}
          />
          <Pagination label="Pages of questions" of={found} shown={found.questions.length} />
        </>
      )}
    </QueryView>
  );
}

const QUESTIONS = "/api/projects/{slug}/systems-board/questions";

/** A question, which leads to its answers, and its gold answers; systems' own answers may come behind. */
export const QUESTION_COLUMNS: readonly Column<Pick<RightByQuestion, "id" | "question" | "gold">>[] = [
  {
    key: "question",
    header: "Question",
    cell: ({ id, question }) => (
      <ProjectLink page="answers" search={{ question: id }}>
        <span dir="auto">{question}</span>
      </ProjectLink>
    ),
    csv: ({ id, question }) => ({ id, question }),
  },
  {
    key: "gold",
    header: "Gold",
    cell: ({ gold }) => <span dir="auto">{gold.join(" · ") || "none"}</span>,
    csv: ({ gold }) => ({ gold: gold.join(" | ") }),
  },
];

interface RightByBar {
  readonly name: string;
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
}

const ROW_HEIGHT = 22;
const ROOM = 130;

export function drawRightBy(plot: Plot, width: number, bars: readonly RightByBar[]): Drawn {
  const bounded = bars.filter(({ low, high }) => low !== null && high !== null);
  return plot.plot({
    width,
    height: bars.length * ROW_HEIGHT + AXIS_NAME_HEIGHT + 56,
    marginLeft: ROOM,
    marginTop: AXIS_NAME_HEIGHT + 8,
    x: { label: "Share of questions (percent)", labelArrow: "none", grid: true, nice: true, zero: true },
    y: { domain: bars.map(({ name }) => name) },
    marks: [
      namesAxis(plot, { label: "Systems that answered correctly", room: ROOM }),
      plot.barX(bars, { x: "share", y: "name", fill: "var(--chart-1)", fillOpacity: 0.5 }),
      plot.ruleY(bounded, { x1: "low", x2: "high", y: "name", stroke: "var(--ink)" }),
    ],
  });
}
