/** Every answer of the project: search, filter by state, and one click to its whole history. */
import { useQuery } from "@tanstack/react-query";
import { kept, read } from "../../api/client";
import type { AnswerLine, AnswerPage } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Choice, SearchForm } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { countOf } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import {
  ANSWER_STATES,
  cellOf,
  dimensionOf,
  disputeOf,
  NO_CELL,
  NO_DISPUTE,
  type Said,
  sourceWords,
  stateOf,
  stateWords,
  useRunNames,
  whichWords,
} from "./which-answers";

const EVERYTHING = {
  errors_of: undefined,
  accepted_by: undefined,
  rejected_by: undefined,
  unscored_by: undefined,
  by: undefined,
  part: undefined,
  question: undefined,
  page: undefined,
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
  const page = search.readNumber("page", 1);
  const filter = {
    page,
    ...(text && { search: text }),
    ...(state && { state }),
    ...(run && { errors_of: run }),
    ...said,
    ...(by && part && { by, part }),
    ...(question && { question }),
    ...cell,
    ...dispute,
  };
  // The last page stays in sight while the next is on its way.
  const query = useQuery(kept(read("/api/projects/{slug}/answers", { slug: project.slug }, filter)));
  const isChosen = [run, part, question, cell, dispute, ...Object.values(said)].some(
    (each) => each !== undefined,
  );
  const isFiltered = isChosen || text !== undefined || state !== undefined;
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
      <AnswerFilter search={search} />
      <QueryView query={query} loading={<Skeleton lines={12} height={1.75} />}>
        {(found) =>
          found.answers.length === 0 ? <NothingFound isFiltered={isFiltered} /> : <Found found={found} />
        }
      </QueryView>
    </Page>
  );
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
  const answers = `${found}${part === undefined ? "" : `, only “${part}”`}`;
  return said === "" ? answers : `${answers} ${said}`;
}

function Found({ found }: { readonly found: AnswerPage }) {
  return (
    <>
      {found.answers.some(({ votes }) => votes.length > 0) && (
        <p className="soft-regular">
          Letters stand for raters and are drawn again for each answer, so A can be someone else on the next.
        </p>
      )}
      <AnswerTable answers={found.answers} />
      <Pagination label="Pages of answers" of={found} />
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
        <p>Try fewer or other words. The search covers questions and answers.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Every answer and its history will appear here"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import questions and answers
        </ProjectButtonLink>
      }
    >
      <p>Which systems gave it, how each rater voted, what was decided and why, and what each judge said.</p>
    </EmptyState>
  );
}

function AnswerFilter({ search }: { readonly search: SearchState }) {
  return (
    <SearchForm search={search} label="Search questions, gold, answers, comments, evidence and reasons">
      <Choice
        label="State"
        value={search.read("state")}
        options={ANSWER_STATES}
        onChange={(state) => search.write({ state, page: undefined })}
        empty="Any"
      />
    </SearchForm>
  );
}

const COLUMNS: readonly Column<AnswerLine>[] = [
  {
    key: "answer",
    header: "Answer",
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
  },
  {
    key: "votes",
    header: "Votes",
    cell: (line) =>
      line.votes.length === 0 ? (
        "–"
      ) : (
        <span className={styles["votes"]}>
          {line.votes.map((vote, index) => (
            <span key={`${vote.letter} ${index}`} className={styles["vote"]}>
              {vote.letter}
              <LabelMark label={vote.label} compact />
            </span>
          ))}
        </span>
      ),
  },
  {
    key: "decision",
    header: "Decision",
    cell: (line) =>
      line.label ? (
        <span className={styles["decision"]}>
          <LabelMark label={line.label} />
          <span className="soft-regular">{sourceWords(line.source)}</span>
        </span>
      ) : (
        <Badge tone={stateWords(line.state).tone}>{stateWords(line.state).words}</Badge>
      ),
  },
  {
    key: "systems",
    header: "Given by",
    cell: ({ systems }) => (
      <span title={systems?.join(", ")}>
        {systems && systems.length > 2 ? countOf(systems.length, "system") : systems?.join(", ") || "–"}
      </span>
    ),
  },
];

function AnswerTable({ answers }: { readonly answers: readonly AnswerLine[] }) {
  const areHidden = answers.some(({ systems }) => systems === null);
  const columns = areHidden ? COLUMNS.filter(({ key }) => key !== "systems") : COLUMNS;
  return <Table folds caption="Answers" columns={columns} rows={answers} rowKey={(line) => line.id} />;
}
