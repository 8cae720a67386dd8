/** Projects × judges × systems in one table; the judge nearest to people is marked on each system. */
import type { ComparedSystem, Comparison, Evaluator } from "../../api/schema";
import { BoundedFigure } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { withPublished } from "../../domain/references";
import { type CsvCells, csvRows } from "../../lib/csv";
import { formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./compare.module.css";
import { nearestTo } from "./nearest";
import { publishedCells, publishedRows, PublishedSystems } from "./published";

interface ScoresSectionProps {
  readonly comparison: Comparison;
  readonly evaluators: readonly Evaluator[];
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
          <BoundedFigure figure={score} format={formatPoints} />
          {score.difference.value !== null && <small>{formatDifference(score.difference.value)}</small>}
          {isNearest && <small>nearest</small>}
        </span>
      );
    },
    value: (row) => row.scores[key]?.value ?? null,
    csv: ({ scores: { [key]: score } }) => ({
      ...boundedCells(key, score),
      [`${key}, above people`]: score?.difference.value,
    }),
  };
}

function boundedCells(name: string, score: ComparedSystem["people"] | undefined): CsvCells {
  return { [name]: score?.value, [`${name} low`]: score?.low, [`${name} high`]: score?.high };
}

function columnsOf({ comparison, evaluators }: ScoresSectionProps): Column<ComparedSystem>[] {
  const names = new Map(comparison.projects.map(({ slug, name }) => [slug, name]));
  return [
    {
      key: "system",
      header: "System",
      isRowHeader: true,
      value: ({ label }) => label,
      csv: ({ project, system }) => ({ project, system }),
    },
    {
      key: "project",
      header: "Project",
      cell: ({ project }) => names.get(project),
      value: ({ project }) => names.get(project) ?? "",
      csv: () => ({}),
    },
    { key: "n", header: "n", align: "end", value: ({ n }) => n },
    ...evaluators.map((evaluator) => judgeColumn(evaluator, evaluators)),
    {
      key: "people",
      header: "People",
      align: "end",
      cell: ({ people }) => (
        <strong>{people ? <BoundedFigure figure={people} format={formatPoints} /> : "–"}</strong>
      ),
      value: ({ people }) => people?.value ?? null,
      csv: (row) => ({
        ...boundedCells("people", row.people),
        nearest: nearestTo(row, evaluators).join(" | "),
      }),
    },
  ];
}

export function ScoresSection({ comparison, evaluators }: ScoresSectionProps) {
  const published = publishedRows(comparison, evaluators);
  const columns = columnsOf({ comparison, evaluators });
  return (
    <Section title="Systems">
      <p className={styles["soft"]}>
        Scores in percent over the judged sample; below each its 95 % interval and by how many points it is
        above what people say (by amended gold) on the questions both judged.
      </p>
      <Table
        caption="Systems of the chosen projects by judges"
        columns={columns}
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
          rows={withPublished(csvRows(columns, comparison.rows), published, publishedCells)}
          signature={comparison.signature}
          judges={evaluators}
        />
      </div>
    </Section>
  );
}
