/** The questions that so many systems have right, each of which opens its answers. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Pagination } from "../../components/pagination";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";
import { namePage } from "../../lib/csv";
import { countOf } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import styles from "./right-by.module.css";

interface RightByQuestionsProps {
  readonly rightBy: number;
  /** "none (hard)". */
  readonly name: string;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

export function RightByQuestions({ rightBy, name, filter, search }: RightByQuestionsProps) {
  const project = useProject();
  const page = search.readNumber("page", 1);
  const query = useQuery({
    ...read(
      "/api/projects/{slug}/systems-board/questions",
      { slug: project.slug },
      { ...filter, right_by: rightBy, page },
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={query}>
      {(found) => (
        <>
          <p className={styles["soft"]}>
            {countOf(found.count, "question")} right by {name}. Each opens its answers.
          </p>
          <Table
            folds
            caption={`Questions right by ${name}`}
            rows={found.questions}
            rowKey={({ id }) => id}
            columns={[
              {
                key: "question",
                header: "Question",
                isRowHeader: true,
                cell: ({ id, question }) => (
                  <ProjectLink page="answers" search={{ question: id }}>
                    <span dir="auto">{question}</span>
                  </ProjectLink>
                ),
              },
              {
                key: "gold",
                header: "Gold",
                cell: ({ gold }) => <span dir="auto">{gold.join(" · ") || "none"}</span>,
              },
            ]}
          />
          <div>
            <CsvButton
              name={namePage(`questions-right-by-${rightBy}`, found)}
              rows={found.questions.map(({ id, question, gold }) => ({
                id,
                question,
                gold: gold.join(" | "),
              }))}
            />
          </div>
          <Pagination
            label="Pages of questions"
            page={found.page}
            pageCount={found.page_count}
            onChange={(next) => search.write({ page: next === 1 ? undefined : next })}
          />
        </>
      )}
    </QueryView>
  );
}
