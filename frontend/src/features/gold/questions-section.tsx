/** The gold list question by question: searched, narrowed, and what moved each list. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import { get, read, readPages } from "../../api/client";
import type { GoldEntry, GoldQuestion, GoldQuestions } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { CsvButton } from "../../components/csv-button";
import { Choice, optionsOf, SearchForm } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { AwaitingState } from "../../domain/first-step";
import type { CsvColumn } from "../../lib/csv";
import { countOf } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { Changes } from "./changes";
import styles from "./gold-page.module.css";

const QUESTIONS = "/api/projects/{slug}/gold/questions";

const SHOWS = {
  changed: "Changed since import",
  proposed: "With proposals",
  conflicting: "With conflicting decisions",
  empty: "Without gold answers",
} as const;

/** What the address asks for. */
export function askedOf(search: SearchState) {
  const [show, text] = [search.read("show"), search.read("search")];
  const [dataset, question] = [search.read("dataset"), search.read("question")];
  return {
    cursor: search.read("cursor"),
    ...(show && show in SHOWS && { show: show as keyof typeof SHOWS }),
    ...(text && { search: text }),
    ...(dataset && { dataset }),
    ...(question && { question }),
  };
}

const NOTHING_ASKED = {
  show: undefined,
  search: undefined,
  dataset: undefined,
  question: undefined,
  cursor: undefined,
};

interface QuestionsSectionProps {
  readonly query: UseQueryResult<GoldQuestions>;
}

export function QuestionsSection({ query }: QuestionsSectionProps) {
  const search = useSearchState();
  const { slug } = useProject();
  const asked = askedOf(search);
  const readAll = () =>
    readPages(
      (turn) => get(QUESTIONS, { slug }, { ...asked, ...turn }),
      (found) => linesOf(found.questions),
    );
  return (
    <>
      {(isNarrowed(search) || query.data?.count !== 0) && <Filters search={search} />}
      <QueryView query={query}>
        {(found) => (
          <>
            <ConflictNotice found={found} search={search} />
            {found.count === 0 ? (
              <NothingFound search={search} />
            ) : (
              <div>
                <div className="row-centered">
                  <p className="soft">{countOf(found.count, "question")}</p>
                  <CsvButton
                    name="gold-answers"
                    columns={FILE_COLUMNS}
                    rows={linesOf(found.questions)}
                    readAll={readAll}
                  />
                </div>
                <ul className="ruled">
                  {found.questions.map((question) => (
                    <QuestionEntry key={question.id} of={question} isOpen={isAboutChanges(search)} />
                  ))}
                </ul>
              </div>
            )}
            <Pagination label="Pages of questions" of={found} shown={found.questions.length} />
          </>
        )}
      </QueryView>
    </>
  );
}

interface GoldLine {
  readonly question: GoldQuestion;
  /** Nothing where a question has no gold answers: the file has its line nevertheless. */
  readonly entry: GoldEntry | undefined;
}

function linesOf(questions: readonly GoldQuestion[]): GoldLine[] {
  return questions.flatMap((question) => {
    const entries = question.answers.length === 0 ? [undefined] : question.answers;
    return entries.map((entry) => ({ question, entry }));
  });
}

const FILE_COLUMNS: readonly CsvColumn<GoldLine>[] = [
  { key: "id", value: ({ question }) => question.id },
  { key: "question", value: ({ question }) => question.question },
  { key: "data_set", value: ({ question }) => question.dataset },
  { key: "gold_answer", value: ({ entry }) => entry?.text },
  { key: "status", value: ({ entry }) => entry && stateOf(entry) },
  { key: "is_pattern", value: ({ entry }) => entry && Number(entry.is_pattern) },
];

/** Whether somebody came to see what moved, not what stands. */
function isAboutChanges(search: SearchState): boolean {
  return search.read("show") === "changed" || search.read("question") !== undefined;
}

function Filters({ search }: { readonly search: SearchState }) {
  const { slug } = useProject();
  const { data: choices } = useQuery(read("/api/projects/{slug}/filters", { slug }));
  if (search.read("question"))
    return (
      <div>
        <Button size="small" onClick={() => search.write(NOTHING_ASKED)}>
          Show all questions
        </Button>
      </div>
    );
  const datasets = choices?.datasets ?? [];
  return (
    <SearchForm search={search} label="Search questions and gold answers">
      <Choice
        label="Show"
        value={search.read("show")}
        options={optionsOf(SHOWS)}
        empty="All questions"
        onChange={(show) => search.write({ show: show || undefined, cursor: undefined })}
      />
      {datasets.length > 0 && (
        <Choice
          label="Data set"
          value={search.read("dataset")}
          options={datasets.map((name) => ({ value: name, name }))}
          empty="Any"
          onChange={(dataset) => search.write({ dataset: dataset || undefined, cursor: undefined })}
        />
      )}
    </SearchForm>
  );
}

function isNarrowed(search: SearchState): boolean {
  return Object.keys(NOTHING_ASKED).some((key) => search.read(key) !== undefined);
}

function NothingFound({ search }: { readonly search: SearchState }) {
  if (!isNarrowed(search))
    return (
      <AwaitingState
        title="Questions and their gold answers appear here"
        action={<ProjectButtonLink page="import">Import questions</ProjectButtonLink>}
      >
        <p>
          When people accept an answer, Assay adds it to the question’s gold answers. When they reject a gold
          answer, Assay removes it. The ledger shows the reason for each change, and leads can undo any
          change.
        </p>
      </AwaitingState>
    );
  return (
    <EmptyState
      title="No matching questions"
      action={<Button onClick={() => search.write(NOTHING_ASKED)}>Show all questions</Button>}
    >
      <p>The search covers questions, their gold answers, and answers that were added or removed.</p>
    </EmptyState>
  );
}

interface ConflictNoticeProps {
  readonly found: GoldQuestions;
  readonly search: SearchState;
}

function ConflictNotice({ found: { conflict_count: count }, search }: ConflictNoticeProps) {
  if (count === 0) return null;
  const isShown = search.read("show") === "conflicting";
  return (
    <Notice
      tone="warning"
      title={`${countOf(count, "answer")} with conflicting decisions`}
      actions={
        !isShown && (
          <Button size="small" onClick={() => search.write({ ...NOTHING_ASKED, show: "conflicting" })}>
            Show conflicts
          </Button>
        )
      }
    >
      <p>
        People accepted one answer and rejected another that exact match treats as equal. The accepted answer
        stays on the gold list. To resolve a conflict, open either answer and change its decision.
      </p>
    </Notice>
  );
}

interface QuestionEntryProps {
  readonly of: GoldQuestion;
  readonly isOpen: boolean;
}

function QuestionEntry({ of: question, isOpen }: QuestionEntryProps) {
  const { role } = useProject();
  const { changes, conflicts, proposals } = question;
  return (
    <li className={styles["entry"]}>
      <div className={styles["head"]}>
        <h2 className={styles["asked"]}>
          <ProjectLink page="gold" search={{ question: question.id }}>
            <span dir="auto">{question.question}</span>
          </ProjectLink>
        </h2>
        {question.dataset !== "" && (
          <span className="soft" dir="auto">
            {question.dataset}
          </span>
        )}
        {proposals > 0 && role === "lead" && (
          <ProjectLink page="gold/proposals" search={{ question: question.id }} className={styles["aside"]}>
            {countOf(proposals, "proposal")}
          </ProjectLink>
        )}
      </div>
      {question.answers.length === 0 ? (
        <p className="soft">No gold answers.</p>
      ) : (
        <ul className={styles["golds"]}>
          {question.answers.map((entry) => (
            <Entry key={entry.text} entry={entry} />
          ))}
        </ul>
      )}
      {conflicts.map((conflict) => (
        <p key={conflict.rejected_id}>
          People accepted{" "}
          <ProjectLink page={`answers/${conflict.accepted_id}`}>
            <span dir="auto">{conflict.accepted}</span>
          </ProjectLink>{" "}
          and rejected{" "}
          <ProjectLink page={`answers/${conflict.rejected_id}`}>
            <span dir="auto">{conflict.rejected}</span>
          </ProjectLink>
          .
        </p>
      ))}
      {changes.length > 0 && (
        <More summary={countOf(changes.length, "change")} open={isOpen}>
          <Changes changes={changes} isOfQuestion />
        </More>
      )}
    </li>
  );
}

function stateOf({ is_removed, is_added }: GoldEntry): "removed" | "added" | "imported" {
  if (is_removed) return "removed";
  return is_added ? "added" : "imported";
}

function Entry({ entry }: { readonly entry: GoldEntry }) {
  const state = stateOf(entry);
  return (
    <li className={styles["gold"]} data-state={state}>
      {state !== "imported" && (
        <>
          <span className={styles["sign"]} data-action={state} aria-hidden="true">
            {state === "added" ? "+" : "−"}
          </span>
          <span className="visually-hidden">{state === "added" ? "Added: " : "Removed: "}</span>
        </>
      )}
      <span className={styles["text"]} dir="auto">
        {entry.text}
      </span>
      {entry.is_pattern && <Badge>Pattern</Badge>}
    </li>
  );
}
