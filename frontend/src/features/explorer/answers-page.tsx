/** Every answer of the project: found by what people and judges say of it, and one click to its whole history. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { kept, read } from "../../api/client";
import type { AnswerChoices, AnswerPage } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
import { SettledNotice } from "../../domain/settled-notice";
import { countOf, formatCount } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { AnswerActions } from "./answer-actions";
import { AnswerFilter } from "./answer-filter";
import { AnswerTable, ColumnChoice } from "./answer-table";
import styles from "./explorer.module.css";
import { narrowingOf, NOT_NARROWED } from "./narrowing";
import { SavedViews } from "./saved-views";
import { useSelection } from "./selection";
import { VIEW } from "./views";
import {
  cellOf,
  dimensionOf,
  disputeOf,
  NO_CELL,
  NO_DISPUTE,
  type Said,
  stateOf,
  useRunNames,
  whichWords,
} from "./which-answers";
import { columnsOf, judgesOf } from "./which-columns";

const EVERYTHING = {
  errors_of: undefined,
  accepted_by: undefined,
  rejected_by: undefined,
  unscored_by: undefined,
  by: undefined,
  part: undefined,
  question: undefined,
  [VIEW]: undefined,
  ...NOT_NARROWED,
  ...NO_CELL,
  ...NO_DISPUTE,
};

export function AnswersPage() {
  const project = useProject();
  useTitle("Answers", project.name);
  const search = useSearchState();
  const text = search.read("search");
  const state = stateOf(search.read("state"));
  const run = search.read("errors_of");
  const said = saidOf(search);
  const [by, part] = [dimensionOf(search.read("by")), search.read("part")];
  const question = search.read("question");
  const cell = cellOf(search);
  const dispute = disputeOf(search);
  const narrowing = narrowingOf(search);
  const filter = {
    ...narrowing,
    ...placeOf(search),
    ...(text && { search: text }),
    ...(state && { state }),
    ...(run && { errors_of: run }),
    ...said,
    ...(by && part && { by, part }),
    ...(question && { question }),
    ...cell,
    ...dispute,
  };
  const { data: choices } = useQuery(read("/api/projects/{slug}/answer-choices", { slug: project.slug }));
  // The last page stays in sight while the next is on its way.
  const query = useQuery(kept(read("/api/projects/{slug}/answers", { slug: project.slug }, filter)));
  const countChosen = (chosen: readonly unknown[]) => chosen.filter((each) => each !== undefined).length;
  const isChosen = countChosen([run, part, question, cell, dispute, ...Object.values(said)]) > 0;
  const filters = countChosen([
    ...[text, state, run, part, question, cell, dispute],
    ...Object.values(said),
    ...Object.values(narrowing),
  ]);
  const isFiltered = filters > 0;
  const isEmpty = query.data?.count === 0 && !isFiltered;
  const nameOf = useRunNames(Object.values({ run, ...said }));
  const words = whichWords({ run, said, question, cell, dispute }, nameOf);
  return (
    <Page>
      <PageHeader
        title="Answers"
        lead={query.data && countWords(query.data, part, words)}
        actions={
          isChosen && (
            <Button size="small" onClick={() => search.write(EVERYTHING)}>
              Show all answers
            </Button>
          )
        }
      />
      <SettledNotice page="answers" />
      {!isEmpty && (
        <Tools count={filters}>
          <SavedViews search={search} />
          <div className={styles["tools"]}>
            <AnswerFilter search={search} choices={choices} />
            {choices && query.data && <ColumnChoice choices={choices} page={query.data} search={search} />}
          </div>
        </Tools>
      )}
      <QueryView query={query} loading={<Skeleton lines={12} height={1.75} />}>
        {(found) =>
          found.answers.length === 0 ? (
            <NothingFound isFiltered={isFiltered} />
          ) : (
            <Found found={found} choices={choices} search={search} />
          )
        }
      </QueryView>
    </Page>
  );
}

interface ToolsProps {
  /** How many filters are chosen. */
  readonly count: number;
  readonly children: ReactNode;
}

/** What the table shows, and which answers; on a phone folded away, so that these come first. */
function Tools({ count, children }: ToolsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        size="small"
        className={styles["fold"] ?? ""}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {count > 0 ? `Filters and columns (${formatCount(count)})` : "Filters and columns"}
      </Button>
      <div id={id} className={styles["folded"]} data-open={isOpen}>
        {children}
      </div>
    </>
  );
}

/** Where the page begins, how its rows are sorted, and which judges it shows. */
function placeOf(search: SearchState) {
  const judges = judgesOf(columnsOf(search));
  const found = {
    sort: search.read("sort"),
    cursor: search.read("cursor"),
    judges,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function saidOf(search: SearchState): Said {
  const keys = ["accepted_by", "rejected_by", "unscored_by"] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = search.read(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function countWords({ count, questions }: AnswerPage, part: string | undefined, said: string): string {
  const found =
    questions === null
      ? countOf(count, "answer")
      : `${countOf(questions, "question")} with ${countOf(count, "answer")}`;
  const answers = said === "" ? found : `${found} ${said}`;
  return part === undefined ? answers : `${answers}, limited to “${part}”`;
}

interface FoundProps {
  readonly found: AnswerPage;
  readonly choices: AnswerChoices | undefined;
  readonly search: SearchState;
}

function Found({ found, choices, search }: FoundProps) {
  const { state, role } = useProject();
  const selection = useSelection();
  return (
    <>
      {role !== "viewer" && <AnswerActions selection={selection} count={found.count} search={search} />}
      <AnswerTable
        page={found}
        choices={choices}
        search={search}
        selection={state === "archived" || role === "viewer" ? undefined : selection}
      />
      <Pagination label="Pages of answers" of={found} shown={found.answers.length} />
    </>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No matching answers"
        action={<ProjectButtonLink page="answers">Show all answers</ProjectButtonLink>}
      >
        <p>Remove a filter, or change your search.</p>
      </EmptyState>
    );
  }
  return (
    <AwaitingState
      title="Answers and their history appear here"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import questions and answers
        </ProjectButtonLink>
      }
    >
      <p>
        An answer’s history shows which systems gave it, how each annotator voted, the decision and its
        reason, and each judge’s <Term name="verdict">verdict</Term>.
      </p>
    </AwaitingState>
  );
}
