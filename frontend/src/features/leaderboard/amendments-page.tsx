/** What people's decisions changed: every system before and after, and the answers that did it. */
import { useQuery } from "@tanstack/react-query";
import { kept, read } from "../../api/client";
import type { Amendments, BeyondExactMatch, SystemMove, TurnedAnswer } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Choice } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { FewNotice } from "../../domain/few-notice";
import { partlyJudgedWords } from "../../domain/judged";
import {
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import { namePage } from "../../lib/csv";
import { countOf, formatCount } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { SYSTEM } from "./board-table";
import { BeyondSection } from "./beyond-section";
import { DumbbellSection } from "./dumbbell-section";
import { gainColumn, gainsWords } from "./gains";
import styles from "./leaderboard-page.module.css";
import { turnedWords, waitingWords } from "./words";

export function AmendmentsPage() {
  const project = useProject();
  useTitle("Before and after amendment", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const page = search.readNumber("page", 1);
  const query = useQuery(
    kept(
      read(
        "/api/projects/{slug}/leaderboard/amendments",
        { slug: project.slug },
        { ...filter, system: search.read("system") ?? "", page },
      ),
    ),
  );
  const board = useQuery(read("/api/projects/{slug}/leaderboard", { slug: project.slug }, filter));
  const beyond = useQuery(read("/api/projects/{slug}/leaderboard/beyond", { slug: project.slug }, filter));
  return (
    <Page>
      <PageHeader title="Before and after amendment" lead={query.data && turnedWords(query.data)} />
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
              <Section title="Before and after">
                <QueryView query={board}>
                  {(data) => (
                    <>
                      <Remark words={partlyJudgedWords(data)} />
                      <DumbbellSection board={data} filter={filter} search={search} />
                    </>
                  )}
                </QueryView>
              </Section>
              <BeyondPart found={beyond.data} />
              <Turned found={found} filter={filter} search={search} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function Remark({ words }: { readonly words: string }) {
  return words && <p className="soft">{words}</p>;
}

/** Above the lists of answers: what people accept is the sum that they are made of. */
function BeyondPart({ found }: { readonly found: BeyondExactMatch | undefined }) {
  if (!found?.answers.counts["rejected"]) return null;
  return (
    <Section title="What people accept that exact match rejects">
      <BeyondSection found={found} />
    </Section>
  );
}

function Nothing() {
  return (
    <EmptyState title="What people change will be seen here">
      <p>It needs answers of systems: each accepted one joins the gold list, each rejected one leaves it.</p>
    </EmptyState>
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
    <>
      {seesSystems && <Moves systems={found.systems} filter={filter} signature={found.signature} />}
      <Section title="The answers that turned">
        <div className={styles["controls"]}>
          {seesSystems && (
            <Choice
              label="Of"
              value={search.read("system")}
              options={found.systems.map(({ system, label }) => ({ value: system, name: label }))}
              onChange={(system) => search.write({ system, page: undefined })}
              empty="All systems"
            />
          )}
          <p className="soft">
            {countOf(found.right_count, "answer")} turned right, {countOf(found.wrong_count, "answer")} wrong;
            those that moved the most systems come first. Each opens its history.
          </p>
        </div>
        <TurnedTable found={found} />
        <Pagination label="Answers that turned" of={found} />
      </Section>
    </>
  );
}

interface MovesProps {
  readonly systems: Amendments["systems"];
  readonly filter: Filter;
  readonly signature: string;
}

function Moves({ systems, filter, signature }: MovesProps) {
  const { slug } = useProject();
  const bounded = useQuery(
    read("/api/projects/{slug}/leaderboard/amendments", { slug }, { ...filter, intervals: true }),
  );
  const moves = bounded.data?.systems ?? systems;
  return (
    <Section title="Which amendment moved which system">
      <Table
        caption="Answers of each system that amendment turned"
        rows={moves}
        rowKey={({ system }) => system}
        initialSort={{ key: "difference", descending: true }}
        columns={MOVES}
        note={gainsWords(bounded)}
        file={{ name: "amendment-by-system", signature }}
      />
    </Section>
  );
}

const MOVES: readonly Column<SystemMove>[] = [
  { ...SYSTEM, header: "System" },
  { key: "n", header: "n", align: "end", value: ({ n }) => n },
  { key: "before", header: "Right before", align: "end", value: ({ before }) => before },
  { key: "turned_right", header: "Turned right", align: "end", value: (move) => move.turned_right },
  { key: "turned_wrong", header: "Turned wrong", align: "end", value: (move) => move.turned_wrong },
  { key: "after", header: "Right after", align: "end", value: ({ after }) => after },
  gainColumn("gain", ({ gain }) => gain),
];

const MOST_NAMED = 4;

/** The answers that amendment turned right or wrong, each with the systems that gave it. */
function TurnedTable({ found }: { readonly found: Amendments }) {
  if (found.count === 0) return <p className="soft">{nothingWords(found)}</p>;
  // Adjudicators may not see systems; then there is nothing to say of them.
  const areHidden = found.turned.some(({ systems }) => systems === null);
  return (
    <Table
      caption="Answers that amendment turned right or wrong"
      folds
      keepsOrder
      rows={found.turned}
      rowKey={({ answer, is_right, question }) => `${question} ${answer} ${String(is_right)}`}
      columns={areHidden ? TURNED.filter(({ key }) => key !== "count" && key !== "systems") : TURNED}
      file={{ name: namePage("answers-that-turned", found), signature: found.signature }}
    />
  );
}

function nothingWords({ pending }: Amendments): string {
  if (pending === 0) return "No answer of a system turned: gold lists say what people decided.";
  return `No answer has turned yet; ${waitingWords(pending)}.`;
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
    header: "Turned",
    cell: ({ is_right }) =>
      is_right ? <Badge tone="success">right</Badge> : <Badge tone="danger">wrong</Badge>,
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
    header: "Which",
    cell: ({ systems }) => systemsWords(systems ?? []),
    value: ({ systems }) => systems?.join(" | "),
  },
  {
    key: "gold_changes",
    header: "Gold list",
    cell: (row) =>
      row.changes.length === 0 ? (
        "of a file of its own"
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
