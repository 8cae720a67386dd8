/** What people's decisions changed: every system before and after, and the answers that did it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Amendments, BeyondExactMatch, SystemMove } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { SubNav } from "../../components/sub-nav";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { EmptyState, QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { FewNotice } from "../../domain/few-notice";
import { partlyJudgedWords } from "../../domain/judged";
import {
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import { countOf } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { BeyondSection } from "./beyond-section";
import { DumbbellSection } from "./dumbbell-section";
import { gainColumn, gainsWords } from "./gains";
import styles from "./leaderboard-page.module.css";
import { TurnedTable } from "./turned-table";
import { turnedWords } from "./words";

export function AmendmentsPage() {
  const project = useProject();
  useTitle("Before and after amendment", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const page = search.readNumber("page", 1);
  const query = useQuery({
    ...read(
      "/api/projects/{slug}/leaderboard/amendments",
      { slug: project.slug },
      { ...filter, system: search.read("system") ?? "", page },
    ),
    placeholderData: keepPreviousData,
  });
  const board = useQuery(read("/api/projects/{slug}/leaderboard", { slug: project.slug }, filter));
  const beyond = useQuery(read("/api/projects/{slug}/leaderboard/beyond", { slug: project.slug }, filter));
  return (
    <Page>
      <PageHeader title="Leaderboard" lead={query.data && turnedWords(query.data)} />
      <SubNav current="leaderboard/amendments" />
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
  return words && <p className={styles["soft"]}>{words}</p>;
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
            <Select
              label="Of"
              value={search.read("system") ?? ""}
              onChange={(event) => search.write({ system: event.target.value, page: undefined })}
            >
              <option value="">All systems</option>
              {found.systems.map(({ system, label }) => (
                <option key={system} value={system}>
                  {label}
                </option>
              ))}
            </Select>
          )}
          <p className={styles["soft"]}>
            {countOf(found.right_count, "answer")} turned right, {countOf(found.wrong_count, "answer")} wrong;
            those that moved the most systems come first. Each opens its history.
          </p>
        </div>
        <TurnedTable found={found} />
        <Pagination
          label="Answers that turned"
          page={found.page}
          pageCount={found.page_count}
          onChange={(page) => search.write({ page: page === 1 ? undefined : page })}
        />
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
        initialSort={{ key: "gain", descending: true }}
        columns={MOVES}
      />
      <p className={styles["soft"]}>{gainsWords(bounded)}</p>
      <div>
        <CsvButton name="amendment-by-system" columns={MOVES} rows={moves} signature={signature} />
      </div>
    </Section>
  );
}

const MOVES: readonly Column<SystemMove>[] = [
  {
    key: "system",
    header: "System",
    isRowHeader: true,
    value: ({ label }) => label,
    csv: ({ system, label }) => ({ system, label }),
  },
  { key: "n", header: "n", align: "end", value: ({ n }) => n },
  { key: "before", header: "Right before", align: "end", value: ({ before }) => before },
  { key: "turned_right", header: "Turned right", align: "end", value: (move) => move.turned_right },
  { key: "turned_wrong", header: "Turned wrong", align: "end", value: (move) => move.turned_wrong },
  { key: "after", header: "Right after", align: "end", value: ({ after }) => after },
  gainColumn("gain", ({ gain }) => gain),
];
