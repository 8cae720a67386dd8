/** Projects × judges × systems in one table; the judge nearest to people is marked on each system. */
import type { ComparedReference, ComparedSystem, Comparison, Evaluator } from "../../api/schema";
import { boundedCells, boundedColumn, FigureCell, LOOKS } from "../../components/figure";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { PublishedRows } from "../../domain/published";
import { publishedLine, type ReferenceRow, referenceRows } from "../../domain/references";
import { formatDifference } from "../../lib/numbers";
import styles from "./compare.module.css";
import { nearestTo } from "./nearest";

interface ScoresSectionProps {
  readonly comparison: Comparison;
  readonly evaluators: readonly Evaluator[];
}

function judgeColumn(evaluator: Evaluator, shown: readonly Evaluator[]): Column<ComparedSystem> {
  const { key, name, unit } = evaluator;
  return {
    key,
    header: name,
    ...(unit === "f1" && { note: "mean F1" }),
    align: "end",
    cell: (row) => {
      const score = row.scores[key];
      if (!score) return "–";
      const isNearest = nearestTo(row, shown).includes(key);
      return (
        <span className={isNearest ? styles["nearest"] : styles["score"]}>
          <FigureCell figure={score} look={LOOKS.share} interval="below" />
          {score.difference.value !== null && <small>{formatDifference(score.difference.value)}</small>}
          {isNearest && <small>closest</small>}
        </span>
      );
    },
    value: (row) => row.scores[key]?.value ?? null,
    csv: ({ scores: { [key]: score } }) => ({
      ...boundedCells(key, score, `${key} `),
      [`${key}, difference from people`]: score?.difference.value,
    }),
  };
}

function columnsOf({ comparison, evaluators }: ScoresSectionProps): Column<ComparedSystem>[] {
  const names = new Map(comparison.projects.map(({ slug, name }) => [slug, name]));
  return [
    {
      key: "system",
      header: "System",
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
    boundedColumn("people", "People", ({ people }) => people, {
      interval: "below",
      text: (_, text) => <strong>{text}</strong>,
      csv: (row) => ({
        ...boundedCells("people", row.people, "people "),
        nearest: nearestTo(row, evaluators).join(" | "),
      }),
    }),
  ];
}

export function ScoresSection({ comparison, evaluators }: ScoresSectionProps) {
  const published = publishedRows(comparison, evaluators);
  const columns = columnsOf({ comparison, evaluators });
  const names = new Map(comparison.projects.map(({ slug, name }) => [slug, name]));
  return (
    <Section title="Systems">
      <p className="soft">
        Scores are percentages over the questions that each project’s leaderboard shows by default. Below each
        score are its 95% interval and its difference from people’s score, in points, on questions that people
        and the judge both judged. People’s scores use amended gold answers and are corrected if judges
        settled answers or people judged only a random sample.
      </p>
      <Table
        caption="Scores of systems in the chosen projects"
        columns={columns}
        rows={comparison.rows}
        rowKey={({ project, system }) => `${project}~${system}`}
        footer={
          <PublishedRows
            rows={published}
            columns={columns}
            cellOf={({ project }, key) => (key === "project" ? names.get(project) : undefined)}
          />
        }
        file={{
          name: "across-projects",
          signature: comparison.signature,
          judges: evaluators,
          published: published.map((row) => publishedLine(row, { project: row.project, system: row.name })),
        }}
      />
    </Section>
  );
}

/** What people's numbers are called among those published. */
const PEOPLE = "human";

interface ProjectRow extends ReferenceRow<ComparedReference> {
  readonly project: string;
}

/** In the order of the projects; what was measured by none of the judges shown has no row. */
export function publishedRows(
  { projects, published }: Comparison,
  shown: readonly Evaluator[],
): ProjectRow[] {
  const cellOf = ({ measure }: ComparedReference) => {
    if (measure === PEOPLE) return "people";
    return shown.some(({ key }) => key === measure) ? measure : null;
  };
  return projects.flatMap(({ slug }) =>
    referenceRows(
      published.filter(({ project }) => project === slug),
      cellOf,
    ).map((row) => ({ ...row, project: slug })),
  );
}
