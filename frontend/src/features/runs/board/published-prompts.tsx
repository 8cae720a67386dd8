/** Prompts known by published numbers alone, below those that were asked here. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { useProject } from "../../../api/project";
import { PublishedRow, PublishedValue, PublishedWords } from "../../../domain/published";
import {
  inForce,
  publishedNote,
  type ReferenceRow,
  referenceRows,
  sourcesOf,
} from "../../../domain/references";
import styles from "./board.module.css";

const MEASURES = ["accuracy_all", "f1"];

export interface NamedSystem {
  /** Its name in the study; empty: all answers. */
  readonly key: string;
  readonly name: string;
}

export function usePublishedPrompts(): readonly ReferenceRow[] {
  const { slug } = useProject();
  const { data } = useQuery(read("/api/projects/{slug}/reference-scores", { slug }));
  const prompts = inForce(data ?? [], "judge").filter(({ prompt }) => prompt !== "");
  return referenceRows(prompts, ({ measure, system }) =>
    MEASURES.includes(measure) ? cellOf(measure, system) : null,
  );
}

function cellOf(measure: string, system: string): string {
  return `${measure} ${system}`;
}

/** The systems that these numbers are of, all answers first, where nothing was asked here. */
export function systemsOf(rows: readonly ReferenceRow[]): readonly NamedSystem[] {
  const names = rows.flatMap(({ scores }) => Object.values(scores).map(({ system }) => system));
  return [...new Set(["", ...names])].map((name) => ({ key: name, name }));
}

interface PublishedPromptsProps {
  readonly rows: readonly ReferenceRow[];
  readonly systems: readonly NamedSystem[];
}

export function PublishedPrompts({ rows, systems }: PublishedPromptsProps) {
  return rows.map((row) => (
    <PublishedRow key={row.key} name={row.prompt} note={publishedNote({ ...row, prompt: "" })}>
      <PublishedWords>{row.name}</PublishedWords>
      {systems.map(({ key }) => (
        <td key={key}>
          <Scores row={row} system={key} />
        </td>
      ))}
      <td>–</td>
    </PublishedRow>
  ));
}

function Scores({ row, system }: { readonly row: ReferenceRow; readonly system: string }) {
  const accuracy = row.scores[cellOf("accuracy_all", system)];
  const f1 = row.scores[cellOf("f1", system)];
  return (
    <span className={styles["strategy"]}>
      <PublishedValue score={accuracy} />
      {f1 && (
        <small>
          F1 <PublishedValue score={f1} />
        </small>
      )}
    </span>
  );
}

/** A line a prompt and system, with nothing where the number is not known. */
export function publishedCsv(row: ReferenceRow, systems: readonly NamedSystem[]) {
  return systems.flatMap(({ key, name }) => {
    const accuracy = row.scores[cellOf("accuracy_all", key)];
    const f1 = row.scores[cellOf("f1", key)];
    if (!accuracy && !f1) return [];
    return [
      {
        prompt: row.prompt,
        model: row.name,
        system: name === "" ? "all" : name,
        accuracy: accuracy?.value,
        f1: f1?.value,
        n: accuracy?.n ?? f1?.n,
        published: sourcesOf({ ...(accuracy && { accuracy }), ...(f1 && { f1 }) }),
      },
    ];
  });
}
