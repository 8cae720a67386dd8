/** What people's decisions changed: every system before and after, and the answers that did it. */
import { useQuery } from "@tanstack/react-query";
import { get, kept, read, readPages } from "../../api/client";
import type { Amendments, BeyondExactMatch, Leaderboard, SystemMove, TurnedAnswer } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Choice } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { explained, Term } from "../../components/term";
import { AnswerCell } from "../../domain/answer";
import { FewNotice } from "../../domain/few-notice";
import { AwaitingState } from "../../domain/first-step";
import {
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import { countOf, formatCount } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { SYSTEM } from "./board-table";
import { BeyondSection } from "./beyond-section";
import { DumbbellSection } from "./dumbbell-section";
import { gainColumn, rangesWords } from "./gains";
import styles from "./leaderboard-page.module.css";
import { isCorrected, turnedWords, waitingWords } from "./words";

export function AmendmentsPage() {
  const project = useProject();
  useTitle("Original and amended gold", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const cursor = search.read("cursor");
  const query = useQuery(
    kept(
      read(
        "/api/projects/{slug}/leaderboard/amendments",
        { slug: project.slug },
        { ...filter, system: search.read("system") ?? "", cursor },
      ),
    ),
  );
  const board = useQuery(read("/api/projects/{slug}/leaderboard", { slug: project.slug }, filter));
  const isAudited = board.data !== undefined && board.data.programs_share > 0 && isCorrected(board.data);
  // The change that the page begins with stands in this table; where an audit corrects it, in the scores.
  const isFirst = board.data !== undefined && !isAudited;
  const beyond = useQuery(read("/api/projects/{slug}/leaderboard/beyond", { slug: project.slug }, filter));
  return (
    <Page>
      <PageHeader
        title={
          <>
            Original and <Term name="amended-gold">amended gold</Term>
          </>
        }
        lead={query.data && leadWords(query.data, isAudited ? board.data : undefined)}
      />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(found) =>
          found.systems.length === 0 && project.sees_systems ? (
            <>
              {!beyond.isPending && !beyond.data?.answers.counts["rejected"] && <Nothing />}
              <BeyondPart found={beyond.data} />
            </>
          ) : (
            <>
              <FewNotice count={board.data?.n_questions ?? 0} thing="question" />
              {isFirst && <Moves found={found} filter={filter} isAudited={false} />}
              <Section title="Scores before and after people’s decisions">
                <QueryView query={board}>
                  {(data) => <DumbbellSection board={data} filter={filter} search={search} />}
                </QueryView>
              </Section>
              <BeyondPart found={beyond.data} />
              {!isFirst && !board.isPending && <Moves found={found} filter={filter} isAudited={isAudited} />}
              <Turned found={found} filter={filter} search={search} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

/** What moved, and by what: the one place that says it before the table does. */
function leadWords(found: Amendments, audited: Leaderboard | undefined): string {
  const moved = turnedWords(found, audited);
  return moved && `${moved} ${AMENDED}`;
}

const AMENDED =
  "The original gold answers come from the imported files. The amended gold answers also include answers that people accepted, and they exclude gold answers that people rejected.";

/** Above the lists of answers: what people accept is the sum that they are made of. */
function BeyondPart({ found }: { readonly found: BeyondExactMatch | undefined }) {
  if (!found?.answers.counts["rejected"]) return null;
  return (
    <Section
      title={
        <>
          Answers that people accept but <Term name="exact-match">exact match</Term> rejects
        </>
      }
    >
      <BeyondSection found={found} />
    </Section>
  );
}

function Nothing() {
  return (
    <AwaitingState then="Then people judge and decide." title="Changes to the gold list appear here">
      <p>
        When people accept a system answer, Assay adds it to the gold list. When they reject a gold answer,
        Assay removes it.
      </p>
    </AwaitingState>
  );
}

interface TurnedProps {
  readonly found: Amendments;
  readonly filter: Filter;
  readonly search: SearchState;
}

function Turned({ found, filter, search }: TurnedProps) {
  const { sees_systems: seesSystems } = useProject();
  return (
    <Section title="Changed answers">
      <div className={styles["controls"]}>
        {seesSystems && (
          <Choice
            label="Answers from"
            value={search.read("system")}
            options={found.systems.map(({ system, label }) => ({ value: system, name: label }))}
            onChange={(system) => search.write({ system, cursor: undefined })}
            empty="All systems"
          />
        )}
        <p className="soft">
          {countOf(found.right_count, "answer")} became correct and {formatCount(found.wrong_count)} became
          incorrect. Answers that affect the most systems are listed first. Select an answer to see its
          history.
        </p>
      </div>
      <TurnedTable found={found} filter={filter} system={search.read("system")} />
      <Pagination label="Changed answers" of={found} shown={found.turned.length} />
    </Section>
  );
}

interface MovesProps {
  readonly found: Amendments;
  readonly filter: Filter;
  /** Scores are corrected by an audit above, and what changed here is counted. */
  readonly isAudited: boolean;
}

function Moves({ found: { systems, signature }, filter, isAudited }: MovesProps) {
  const { slug, sees_systems: seesSystems } = useProject();
  const bounded = useQuery({
    ...read("/api/projects/{slug}/leaderboard/amendments", { slug }, { ...filter, intervals: true }),
    enabled: seesSystems && !isAudited,
  });
  if (!seesSystems) return null;
  const moves = bounded.data?.systems ?? systems;
  return (
    <Section title="Changed answers by system">
      {isAudited && (
        <p className="soft">
          These are plain counts of answers that match a gold answer, including answers that automatic judges
          accepted and that were added to the gold list. The table above shows gains in points after
          correction by the audit.
        </p>
      )}
      <Table
        caption="Changed answers by system"
        rows={moves}
        rowKey={({ system }) => system}
        initialSort={{ key: isAudited ? "turned_right" : "difference", descending: true }}
        columns={isAudited ? [MOVING, ...MOVES] : [MOVING, GAIN, ...MOVES]}
        note={isAudited ? undefined : rangesWords(bounded)}
        file={{ name: "amendment-by-system", signature }}
      />
    </Section>
  );
}

const MOVING: Column<SystemMove> = { ...SYSTEM, header: "System" };
const GAIN = gainColumn<SystemMove>("gain", ({ gain }) => gain, "Gain from amendment (points)");
const MOVES: readonly Column<SystemMove>[] = [
  { key: "n", header: "n", align: "end", value: ({ n }) => n },
  { key: "before", header: "Correct before", align: "end", value: ({ before }) => before },
  { key: "turned_right", header: "Became correct", align: "end", value: (move) => move.turned_right },
  { key: "turned_wrong", header: "Became incorrect", align: "end", value: (move) => move.turned_wrong },
  { key: "after", header: "Correct after", align: "end", value: ({ after }) => after },
];

const MOST_NAMED = 4;

interface TurnedTableProps extends Pick<TurnedProps, "found" | "filter"> {
  /** Whose answers, by name; undefined: those of all. */
  readonly system: string | undefined;
}

const AMENDMENTS = "/api/projects/{slug}/leaderboard/amendments";

/** The answers that amendment turned right or wrong, each with the systems that gave it. */
function TurnedTable({ found, filter, system }: TurnedTableProps) {
  const { slug } = useProject();
  if (found.count === 0) return <p className="soft">{nothingWords(found)}</p>;
  // Adjudicators may not see systems; then there is nothing to say of them.
  const areHidden = found.turned.some(({ systems }) => systems === null);
  const readAll = () =>
    readPages(
      (turn) => get(AMENDMENTS, { slug }, { ...filter, ...(system && { system }), ...turn }),
      ({ turned }) => turned,
    );
  return (
    <Table
      caption="Answers that became correct or incorrect through amendment"
      folds
      keepsOrder
      rows={found.turned}
      rowKey={({ answer, is_right, question }) => `${question} ${answer} ${String(is_right)}`}
      columns={areHidden ? TURNED.filter(({ key }) => key !== "count" && key !== "systems") : TURNED}
      file={{ name: "answers-that-turned", signature: found.signature, readAll }}
    />
  );
}

function nothingWords({ pending }: Amendments): string {
  if (pending === 0)
    return "No answer changed, because the gold lists already agree with people’s decisions.";
  return `No answer has changed yet, and ${waitingWords(pending)}.`;
}

const TURNED: readonly Column<TurnedAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    cell: (row) => <AnswerCell id={row.answer} answer={row.text} question={row.question_text} />,
    csv: ({ question_text, text, answer }) => ({ question: question_text, answer: text, id: answer }),
  },
  {
    key: "turned",
    header: "Change",
    explains: explained("changed-answer"),
    cell: ({ is_right }) =>
      is_right ? <Badge tone="success">correct</Badge> : <Badge tone="danger">incorrect</Badge>,
    value: ({ is_right }) => (is_right ? "right" : "wrong"),
  },
  {
    key: "count",
    header: "Systems",
    align: "end",
    cell: ({ systems }) => formatCount(systems?.length ?? 0),
  },
  {
    key: "systems",
    header: "System names",
    cell: ({ systems }) => systemsWords(systems ?? []),
    value: ({ systems }) => systems?.join(" | "),
  },
  {
    key: "gold_changes",
    header: "Gold list",
    explains: explained("ledger"),
    cell: (row) =>
      row.changes.length === 0 ? (
        "from the imported file"
      ) : (
        <ProjectLink page="gold" search={{ question: row.question }}>
          {row.is_right ? "added" : "removed"}
        </ProjectLink>
      ),
    value: ({ changes }) => changes.join(" | "),
  },
];

function systemsWords(systems: readonly string[]): string {
  const named = systems.slice(0, MOST_NAMED).join(", ");
  const more = systems.length - MOST_NAMED;
  return more > 0 ? `${named} and ${formatCount(more)} more` : named;
}
