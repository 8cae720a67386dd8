/** Judges known by published numbers alone, below those that were measured here. */
import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../../api/projects/project";
import { referencesQuery } from "../../../api/references/references";
import { countOf, formatCoefficient, formatPoints } from "../../../lib/numbers";
import { type Published, referenceRows } from "../../../lib/references";
import styles from "./board.module.css";

/** They run from −1 to 1 and are no percentages. */
const COEFFICIENTS = ["cohen_kappa", "gwet_ac1", "kendall_tau_b"];

/** `columns`: keys of the table's columns, the name first. */
export function PublishedJudges({ columns }: { readonly columns: readonly string[] }) {
  const project = useProject();
  const { data } = useQuery(referencesQuery(project.slug));
  const [, ...measures] = columns;
  return referenceRows(data ?? [], "judge", measures).map(({ name, about, scores }) => (
    <tr key={JSON.stringify([name, about])} className={styles["published"]}>
      <th scope="row">
        {name}
        <small>{["published", about].filter(Boolean).join(" · ")}</small>
      </th>
      {measures.map((key) => (
        <td key={key}>
          <Value score={scores[key]} />
        </td>
      ))}
    </tr>
  ));
}

function Value({ score }: { readonly score: Published | undefined }) {
  if (!score) return "–";
  const { measure, value, n, source } = score;
  return (
    <span title={`Published: ${source}`}>
      {COEFFICIENTS.includes(measure) ? formatCoefficient(value) : formatPoints(value)}
      {n !== null && <small>of {countOf(n, "answer")}</small>}
    </span>
  );
}
