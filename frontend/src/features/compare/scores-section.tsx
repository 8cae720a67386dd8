/** Projects × judges × systems in one table; the judge nearest to people is marked on each system. */
import type { ComparedSystem, Comparison, Evaluator } from "../../api/schema";
import { BoundedNumber } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./compare.module.css";
import { nearestTo } from "./nearest";
import { publishedCsv, publishedRows, PublishedSystems } from "./published";

/** A score with its interval over questions. */
type Bounded = Pick<NonNullable<ComparedSystem["people"]>, "value" | "low" | "high">;

interface ScoresSectionProps {
  readonly comparison: Comparison;
  readonly evaluators: readonly Evaluator[];
}

function Score({ score }: { readonly score: Bounded }) {
  return (
    <BoundedNumber
      text={formatPoints(score.value)}
      interval={[score.low, score.high]}
      format={formatPoints}
    />
  );
}

function judgeColumn(evaluator: Evaluator, shown: readonly Evaluator[]): Column<ComparedSystem> {
  const { key, name, unit } = evaluator;
  return {
    key,
    header: (
      <span>
        {name}
        {unit === "f1" && <span className={styles["unit"]}>mean F1</span>}
      </span>
    ),
    headerTitle: name,
    align: "end",
    cell: (row) => {
      const score = row.scores[key];
      if (!score) return "–";
      const isNearest = nearestTo(row, shown).includes(key);
      return (
        <span className={isNearest ? styles["nearest"] : styles["score"]}>
          <Score score={score} />
          {score.difference !== null && <small>{formatDifference(score.difference)}</small>}
          {isNearest && <small>nearest</small>}
        </span>
      );
    },
    value: (row) => row.scores[key]?.value ?? null,
  };
}

function columnsOf({ comparison, evaluators }: ScoresSectionProps): Column<ComparedSystem>[] {
  const names = new Map(comparison.projects.map(({ slug, name }) => [slug, name]));
  return [
    {
      key: "system",
      header: "System",
      isRowHeader: true,
      value: ({ label }) => label,
    },
    {
      key: "project",
      header: "Project",
      cell: ({ project }) => names.get(project),
      value: ({ project }) => names.get(project) ?? "",
    },
    { key: "n", header: "n", align: "end", value: ({ n }) => n },
    ...evaluators.map((evaluator) => judgeColumn(evaluator, evaluators)),
    {
      key: "people",
      header: "People",
      align: "end",
      cell: ({ people }) => <strong>{people ? <Score score={people} /> : "–"}</strong>,
      value: ({ people }) => people?.value ?? null,
    },
  ];
}

function csvOf(row: ComparedSystem, evaluators: readonly Evaluator[]) {
  const judged = evaluators.flatMap(({ key }) => [
    [key, row.scores[key]?.value],
    [`${key} low`, row.scores[key]?.low],
    [`${key} high`, row.scores[key]?.high],
    [`${key}, above people`, row.scores[key]?.difference],
  ]);
  return {
    project: row.project,
    system: row.system,
    n: row.n,
    ...(Object.fromEntries(judged) as Record<string, number | null | undefined>),
    people: row.people?.value,
    "people low": row.people?.low,
    "people high": row.people?.high,
    nearest: nearestTo(row, evaluators).join(" | "),
    published: "",
  };
}

export function ScoresSection({ comparison, evaluators }: ScoresSectionProps) {
  const published = publishedRows(comparison, evaluators);
  return (
    <Section title="Systems">
      <p className={styles["soft"]}>
        Scores in percent over the judged sample; below each its 95 % interval and by how many points it is
        above what people say (by amended gold) on the questions both judged.
      </p>
      <Table
        caption="Systems of the chosen projects by judges"
        columns={columnsOf({ comparison, evaluators })}
        rows={comparison.rows}
        rowKey={({ project, system }) => `${project}~${system}`}
        footer={
          published.length > 0 && (
            <PublishedSystems rows={published} comparison={comparison} evaluators={evaluators} />
          )
        }
      />
      <div>
        <CsvButton
          name="across-projects"
          rows={[
            ...comparison.rows.map((row) => csvOf(row, evaluators)),
            ...published.map((row) => publishedCsv(row, evaluators)),
          ]}
          signature={comparison.signature}
          judges={evaluators}
        />
      </div>
    </Section>
  );
}
