/** Systems by ways of judging, data set by data set. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ByDataset, DatasetRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { boundedColumn } from "../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { FewNotice } from "../../domain/few-notice";
import { AwaitingState } from "../../domain/first-step";
import { QuestionFilterFields, readFilter } from "../../domain/question-filter";
import { PublishedValue, usePublished } from "../../domain/published";
import { ReferenceScores } from "../../domain/reference-scores";
import type { Measure, Published } from "../../domain/references";
import { countOf } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import {
  datasetCsv,
  type DatasetGroup,
  datasetGroups,
  finalOf,
  isBest,
  judgesOf,
  placedIn,
  publishedColumns,
  publishedScore,
  scoreOf,
  tablesOf,
  withPublishedPeople,
} from "./datasets";
import { fewWords } from "./standings";
import { settledWords, waitingWords } from "./words";

export function DatasetsPage() {
  const project = useProject();
  useTitle("Scores by data set", project.name);
  const search = useSearchState();
  const query = useQuery(
    read("/api/projects/{slug}/leaderboard/datasets", { slug: project.slug }, readFilter(search)),
  );
  const kept = usePublished("system");
  const { data: choices } = useQuery(read("/api/projects/{slug}/filters", { slug: project.slug }));
  const placed = (found: ByDataset) =>
    placedIn(kept, choices && choices.datasets.length > 1 ? [] : namesOf(found));
  return (
    <Page>
      <PageHeader title="Scores by data set" lead={query.data && headline(query.data)} />
      <QuestionFilterFields search={search} />
      <QueryView query={query}>
        {(found) =>
          found.rows.length === 0 ? (
            <AwaitingState title="Scores by data set appear here">
              <p>
                Scores appear after people or judges have judged answers. The imported file must name a data
                set for each question.
              </p>
            </AwaitingState>
          ) : (
            <Section title="By data set">
              <p className="soft">
                Scores are percentages. If a score covers only some of the questions, n shows how many. Bold
                marks the best score in each row.
                {settledWords(found.programs_share, {
                  ...finalOf(found),
                  isOpen: found.datasets.some(({ pending }) => pending > 0),
                })}
              </p>
              <FewNotice
                count={found.datasets.reduce((sum, { questions }) => sum + questions, 0)}
                thing="question"
              />
              <DatasetsTable found={found} references={placed(found)} />
            </Section>
          )
        }
      </QueryView>
      {query.data && query.data.rows.length > 0 && (
        <ReferenceScores subject="system" measures={measuresOf(query.data)} />
      )}
    </Page>
  );
}

function namesOf({ datasets }: ByDataset): readonly string[] {
  return datasets.map(({ name }) => name);
}

function measuresOf({ rows }: ByDataset): readonly Measure[] {
  return [...new Map(rows.map(({ column, name }) => [column, { key: column, name }])).values()];
}

function headline({ datasets, systems }: ByDataset): string {
  const pending = datasets.reduce((sum, each) => sum + each.pending, 0);
  const open = pending > 0 ? ` ${waitingWords(pending)}.` : "";
  const alone =
    datasets.length === 1 ? " With one data set, the scores are the same as on the leaderboard." : "";
  if (systems.length === 0) return "";
  return `${countOf(systems.length, "system")} on ${countOf(datasets.length, "data set")}.${alone}${open}`;
}

interface DatasetsTableProps {
  readonly found: ByDataset;
  /** Published numbers of systems, in force. */
  readonly references: readonly Published[];
}

function DatasetsTable({ found, references }: DatasetsTableProps) {
  const shown = withPublishedPeople(found, references);
  return (
    <>
      {tablesOf(datasetGroups(shown, references)).map((groups) => (
        <GroupsTable key={groups[0]?.dataset.name} groups={groups} />
      ))}
      <div>
        <CsvButton
          name="by-data-set"
          rows={datasetCsv(shown, references)}
          signature={found.signature}
          judges={judgesOf(found)}
        />
      </div>
    </>
  );
}

const NO_NAME = "(no name)";

/** A row a data set and way of judging, a column a system; the best of each row is marked. */
function GroupsTable({ groups }: { readonly groups: readonly DatasetGroup[] }) {
  const names = groups.map(({ dataset }) => dataset.name || NO_NAME).join(", ");
  return (
    <Table
      caption={`${names}: scores (percent) for each system and way of judging`}
      isNarrow
      keepsOrder
      rows={groups.flatMap(({ rows }) => rows)}
      rowKey={({ dataset, column }) => `${dataset} ${column}`}
      groupOf={({ dataset }) => datasetWords(groups.find((group) => group.dataset.name === dataset)?.dataset)}
      isShaded={({ kind }) => kind === "human"}
      columns={columnsOf(groups)}
    />
  );
}

function columnsOf(groups: readonly DatasetGroup[]): readonly Column<DatasetRow>[] {
  const byName = new Map(groups.map((group) => [group.dataset.name, group]));
  const groupOf = ({ dataset }: DatasetRow) => byName.get(dataset);
  return [
    {
      key: "column",
      header: "Judged by",
      cell: ({ name, signature }) => <span title={signature}>{name}</span>,
    },
    ...(groups[0]?.columns ?? []).map((column) =>
      boundedColumn<DatasetRow>(column.key, column.label, (row) => scoreOf(row, column), {
        interval: "below",
        text: (row, text) => (isBest(row, scoreOf(row, column)) ? bestOf(text) : text),
        counts: (row) => fewWords(scoreOf(row, column), groupOf(row)?.dataset.questions),
      }),
    ),
    ...publishedColumns(groups).map((column): Column<DatasetRow> => ({
      key: JSON.stringify([column.name, column.about]),
      header: column.name,
      note: ["published", column.about].filter(Boolean).join(" · "),
      align: "end",
      cell: (row) => <PublishedValue score={publishedScore(groupOf(row), column, row.column)} />,
    })),
  ];
}

const bestOf = (text: string) => (
  <>
    <strong>{text}</strong>
    <span className="visually-hidden"> (best)</span>
  </>
);

/** Above the rows of a data set, so that its name takes no width from the scores. */
function datasetWords(dataset: ByDataset["datasets"][number] | undefined): string {
  if (!dataset) return "";
  const open = dataset.pending > 0 ? [`${countOf(dataset.pending, "system answer")} undecided`] : [];
  return [dataset.name || NO_NAME, countOf(dataset.questions, "question"), ...open].join(" · ");
}
