/** The judged questions beside all questions: each system over both, where people's scores stand beside the judges'. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { boundedColumn } from "../../components/figure";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { PublishedRows } from "../../domain/published";
import type { QuestionFilter } from "../../domain/question-filter";
import { type Published, publishedLine, systemNames } from "../../domain/references";
import { countOf } from "../../lib/numbers";
import { SYSTEM, useBoardReferences } from "./board-table";
import { fewWords, isPeoples, parseSorting, peopleFirst, rankedCells, sortedRows } from "./standings";

interface BesideSectionProps {
  readonly sample: Leaderboard;
  readonly filter: QuestionFilter;
}

export function BesideSection({ sample, filter }: BesideSectionProps) {
  const { slug } = useProject();
  const query = useQuery(read("/api/projects/{slug}/leaderboard", { slug }, { ...filter, scope: "entire" }));
  return (
    <Section title="Judged questions and all questions">
      <QueryView query={query}>
        {(entire) =>
          entire.n_questions === sample.n_questions || entire.rows.length === 0 ? (
            <p className="soft">
              No system has answers to questions that people do not judge, so there is nothing to compare.
            </p>
          ) : (
            <>
              <p className="soft">
                This table shows how closely a judge’s scores on the judged questions match its scores on all
                questions. Systems that answered only the judged questions have no score for all questions.
              </p>
              <BesideTable sample={sample} entire={entire} dataset={filter.dataset} />
            </>
          )
        }
      </QueryView>
    </Section>
  );
}

interface BesideTableProps {
  readonly sample: Leaderboard;
  readonly entire: Leaderboard;
  /** The data set chosen; empty: all. */
  readonly dataset: string;
}

function BesideTable({ sample, entire, dataset }: BesideTableProps) {
  const columns = besideColumns(sample, entire);
  const after = sampleColumns(sample, entire);
  const published = useBoardReferences(dataset, (reference) => {
    const { measure } = reference;
    if (!after.some(({ key }) => key === measure)) return null;
    return `${isOfAll(reference, entire) ? "all" : "sample"} ${measure}`;
  });
  return (
    <Table
      caption="Judged questions and all questions, in percent"
      rows={besideRows(sample, entire)}
      rowKey={({ system }) => system}
      columns={columns}
      footer={<PublishedRows rows={published} columns={columns} />}
      file={{
        name: "sample-beside-all",
        signature: sample.signature,
        judges: [{ name: "all questions", signature: entire.signature }, ...after],
        published: published.map((row) => publishedLine(row, systemNames(row))),
      }}
    />
  );
}

interface BesideRow {
  readonly system: string;
  readonly label: string;
  readonly sample: SystemRow | null;
  readonly all: SystemRow | null;
}

export function besideColumns(sample: Leaderboard, entire: Leaderboard): readonly Column<BesideRow>[] {
  return [
    { ...SYSTEM, header: "System" },
    ...entireColumns(entire).map((column) =>
      scoreColumn("all", column, `All ${countOf(entire.n_questions, "question")}`, entire),
    ),
    ...sampleColumns(sample, entire).map((column) =>
      scoreColumn("sample", column, countOf(sample.n_questions, "judged question"), sample),
    ),
  ];
}

function scoreColumn(
  of: "all" | "sample",
  { key: way, name, kind, signature }: LeaderboardColumn,
  group: string,
  { n_questions }: Leaderboard,
): Column<BesideRow> {
  const key = `${of} ${way}`;
  const scoreOf = ({ [of]: row }: BesideRow) => row?.scores[way];
  return boundedColumn(key, name, scoreOf, {
    group,
    headerTitle: signature,
    isShaded: kind === "human",
    interval: "below",
    counts: (row) => fewWords(scoreOf(row), n_questions),
    csv: (row) => rankedCells(key, scoreOf(row)),
  });
}

/** The programs' columns over all questions: people judge the sample only. */
function entireColumns(entire: Leaderboard): LeaderboardColumn[] {
  return entire.columns.filter(({ kind }) => kind === "judge");
}

/**
 * All columns of the sample; those that stand over all questions, too, in the same order last. What is
 * mostly exact match is not people's.
 */
function sampleColumns(sample: Leaderboard, entire: Leaderboard): LeaderboardColumn[] {
  const shared = new Set(entireColumns(entire).map(({ key }) => key));
  return peopleFirst(sample.columns, sample.rows)
    .map((column) =>
      column.kind === "human" && !isPeoples(column, sample.rows)
        ? { ...column, kind: "mixed" as const }
        : column,
    )
    .toSorted((a, b) => Number(shared.has(b.key)) - Number(shared.has(a.key)));
}

/** Every system of either, in the sample's order; those without answers beyond it have none there. */
export function besideRows(sample: Leaderboard, entire: Leaderboard): BesideRow[] {
  const rows = sortedRows(sample.rows, parseSorting(undefined, sample.columns, sample.rows));
  const find = (board: readonly SystemRow[], name: string) =>
    board.find(({ system }) => system === name) ?? null;
  return [...rows, ...entire.rows.filter(({ system }) => find(rows, system) === null)].map(
    ({ system, label }) => ({ system, label, sample: find(rows, system), all: find(entire.rows, system) }),
  );
}

/** A published number of as many answers as there are questions is of all; any other stands with the sample. */
function isOfAll({ measure, n }: Published, entire: Leaderboard): boolean {
  return n === entire.n_questions && entireColumns(entire).some(({ key }) => key === measure);
}
