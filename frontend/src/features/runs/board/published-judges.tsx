/** Judges known by published numbers alone, below those that were measured here. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { useProject } from "../../../api/project";
import { PublishedRow, PublishedValue } from "../../../domain/published";
import {
  byMeasure,
  inForce,
  publishedNote,
  type ReferenceRow,
  referenceRows,
} from "../../../domain/references";
import { formatCoefficient, formatPoints } from "../../../lib/numbers";

/** They run from −1 to 1 and are no percentages. */
const COEFFICIENTS = ["cohen_kappa", "gwet_ac1", "kendall_tau_b"];

/** The rows of numbers that one of these figures is. What is of one system's answers stands elsewhere. */
export function usePublishedJudges(measures: readonly string[]): readonly ReferenceRow[] {
  const project = useProject();
  const { data } = useQuery(read("/api/projects/{slug}/reference-scores", { slug: project.slug }));
  const whole = inForce(data ?? [], "judge").filter(({ system }) => system === "");
  return referenceRows(whole, byMeasure(measures));
}

/** `columns`: keys of the table's columns, the name first. */
export function PublishedJudges({ columns }: { readonly columns: readonly string[] }) {
  const [, ...measures] = columns;
  return usePublishedJudges(measures).map((row) => (
    <PublishedRow key={row.key} name={row.name} note={publishedNote(row)}>
      {measures.map((key) => (
        <td key={key}>
          <PublishedValue
            score={row.scores[key]}
            format={COEFFICIENTS.includes(key) ? formatCoefficient : formatPoints}
          />
        </td>
      ))}
    </PublishedRow>
  ));
}
