/** Systems of chosen projects known by published numbers alone, below those that were judged. */
import type { ComparedReference, Comparison, Evaluator } from "../../api/schema";
import { PublishedRow, PublishedValue, PublishedWords } from "../../domain/published";
import { publishedNote, type ReferenceRow, referenceRows } from "../../domain/references";
import type { CsvCells } from "../../lib/csv";

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
  const cells = new Set([...shown.map(({ key }) => key), PEOPLE]);
  return projects.flatMap(({ slug }) =>
    referenceRows(
      published.filter(({ project }) => project === slug),
      ({ measure }) => (cells.has(measure) ? measure : null),
    ).map((row) => ({ ...row, project: slug })),
  );
}

interface PublishedSystemsProps {
  readonly rows: readonly ProjectRow[];
  readonly comparison: Comparison;
  readonly evaluators: readonly Evaluator[];
}

export function PublishedSystems({ rows, comparison, evaluators }: PublishedSystemsProps) {
  const names = new Map(comparison.projects.map(({ slug, name }) => [slug, name]));
  return rows.map((row) => (
    <PublishedRow key={`${row.project} ${row.key}`} name={row.name} note={publishedNote(row)}>
      <PublishedWords>{names.get(row.project)}</PublishedWords>
      <td />
      {[...evaluators.map(({ key }) => key), PEOPLE].map((key) => (
        <td key={key}>
          <PublishedValue score={row.scores[key]} />
        </td>
      ))}
    </PublishedRow>
  ));
}

/** Its cells in the file of all systems. */
export function publishedCells({ project, name, scores }: ProjectRow): CsvCells {
  const { [PEOPLE]: people, ...judged } = scores;
  const values = Object.entries(judged).map(([key, { value }]) => [key, value]);
  return { project, system: name, people: people?.value, ...Object.fromEntries(values) } as CsvCells;
}
