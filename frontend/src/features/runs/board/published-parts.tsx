/** Judges known by published numbers on a system's answers: columns behind those that were measured here. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { useProject } from "../../../api/project";
import { plainFigure } from "../../../components/figure";
import type { Column } from "../../../components/table";
import { PublishedName, PublishedValue } from "../../../domain/published";
import type { PartBy } from "../cuts";
import {
  byMeasure,
  inForce,
  publishedName,
  publishedNote,
  type ReferenceRow,
  referenceRows,
  sourcesOf,
} from "../../../domain/references";

/** What one judge was published to reach on the answers of one system, by measure. */
export interface PublishedPart extends ReferenceRow {
  /** The system, as the table calls its row. */
  readonly part: string;
}

/** Only where parts are systems: a published number is of no other part. */
export function usePublishedParts(by: PartBy, measures: readonly string[]): readonly PublishedPart[] {
  const { slug } = useProject();
  const enabled = by === "system";
  const { data: references = [] } = useQuery({
    ...read("/api/projects/{slug}/reference-scores", { slug }),
    enabled,
  });
  const { data: systems = [] } = useQuery({ ...read("/api/projects/{slug}/systems", { slug }), enabled });
  if (!enabled) return [];
  const judges = inForce(references, "judge");
  const names = partNames(systems);
  return systems.flatMap(({ name }, place) =>
    referenceRows(
      judges.filter(({ system }) => system === name),
      byMeasure(measures),
    ).map((row) => ({ ...row, part: names[place] ?? name })),
  );
}

interface Named {
  readonly name: string;
  readonly label: string;
}

/** As the server names parts: two systems may have been given one label. */
export function partNames(systems: readonly Named[]): readonly string[] {
  return systems.map(({ name, label }) =>
    systems.filter((other) => other.label === label).length === 1 ? label : `${label} (${name})`,
  );
}

interface Figure {
  readonly value: string;
  readonly look: { readonly format: (value: number) => string };
}

/** A column a judge, of numbers among which this figure is; without an order, as it enters none. */
export function publishedColumns(
  parts: readonly PublishedPart[],
  { value, look }: Figure,
): Column<{ readonly name: string }>[] {
  const judges = new Map(parts.map((row) => [row.key, row]));
  return [...judges.values()].map((judge) => ({
    key: judge.key,
    header: <PublishedName name={judge.name} note={publishedNote(judge)} />,
    align: "end",
    cell: ({ name }) => (
      <PublishedValue
        score={parts.find(({ key, part }) => key === judge.key && part === name)?.scores[value]}
        format={look.format}
      />
    ),
  }));
}

/** A line's name, its figures by measure, and where they were published. */
export function publishedLine(row: PublishedPart, measures: readonly string[]) {
  return {
    judge: publishedName(row),
    part: row.part,
    figures: Object.fromEntries(measures.map((key) => [key, plainFigure(row.scores[key]?.value ?? null)])),
    published: sourcesOf(row.scores),
  };
}
