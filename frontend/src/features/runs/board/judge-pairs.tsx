/** Judges and people two by two: how often they say the same, and the answers on which they do not. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { JudgePair, JudgePairs } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { figureCells, figureColumn } from "../../../components/figure";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { Table } from "../../../components/table";
import { formatCount } from "../../../lib/numbers";
import { Soft } from "../beside-columns";
import styles from "./board.module.css";
import { JudgeGrid } from "./judge-grid";

export function JudgePairsSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/pairs", { slug }));
  return (
    <QueryView query={query}>
      {(found) =>
        found.pairs.length === 0 ? (
          <Soft>It takes two judges, or a judge and people, with verdicts on the same answers.</Soft>
        ) : (
          <Pairs found={found} />
        )
      }
    </QueryView>
  );
}

function Pairs({ found }: { readonly found: JudgePairs }) {
  const names = new Map(found.judges.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    <>
      <JudgeGrid found={found} />
      <Table
        caption="Judges two by two"
        rows={found.pairs}
        rowKey={({ first, second }) => `${first} ${second}`}
        columns={[
          {
            key: "pair",
            header: "Pair",
            isRowHeader: true,
            cell: ({ first, second }) => `${nameOf(first)} – ${nameOf(second)}`,
            value: ({ first, second }) => `${nameOf(first)} ${nameOf(second)}`,
          },
          {
            key: "answers",
            header: "Answers",
            align: "end",
            value: ({ answers }) => answers,
          },
          figureColumn<JudgePair>("agreement"),
          figureColumn<JudgePair>("cohen_kappa"),
          {
            key: "first",
            header: "Only the first accepts",
            align: "end",
            cell: (pair) => (
              <Differing accepted={pair.first} rejected={pair.second} count={pair.first_only} />
            ),
            value: ({ first_only }) => first_only,
          },
          {
            key: "second",
            header: "Only the second accepts",
            align: "end",
            cell: (pair) => (
              <Differing accepted={pair.second} rejected={pair.first} count={pair.second_only} />
            ),
            value: ({ second_only }) => second_only,
          },
        ]}
      />
      <div className={styles["below"]}>
        <Soft>On the answers of the judged sample that both judged. A number opens its answers.</Soft>
        <CsvButton
          name="judges-beside-each-other"
          rows={found.pairs.map((pair) => csvOf(pair, nameOf))}
          signature={found.signature}
        />
      </div>
    </>
  );
}

interface DifferingProps {
  readonly accepted: string;
  readonly rejected: string;
  readonly count: number;
}

function Differing({ accepted, rejected, count }: DifferingProps) {
  if (count === 0) return "0";
  return (
    <ProjectLink page="answers" search={{ accepted_by: accepted, rejected_by: rejected }}>
      {formatCount(count)}
    </ProjectLink>
  );
}

function csvOf(pair: JudgePair, nameOf: (id: string) => string) {
  return {
    first: nameOf(pair.first),
    second: nameOf(pair.second),
    answers: pair.answers,
    ...figureCells(pair.figures, ["agreement", "cohen_kappa"]),
    first_only: pair.first_only,
    second_only: pair.second_only,
  };
}
