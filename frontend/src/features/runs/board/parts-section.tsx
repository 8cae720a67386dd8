/** Which judge can be trusted where: parts of the study by judges, one figure at a time. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { BoardRow, JudgeBoardRow } from "../../../api/schema";
import { useProject } from "../../../api/project";
import { FIGURES as NAMES } from "../../../api/figures";
import { Choice } from "../../../components/form";
import { columnOfFigure, type FigureName, LOOKS } from "../../../components/figure";
import { Skeleton } from "../../../components/query-view";
import { type Column, Table } from "../../../components/table";
import { Computing } from "../../../domain/intervals";
import { PublishedName, PublishedValue, usePublished } from "../../../domain/published";
import {
  byMeasure,
  publishedName,
  publishedNote,
  type ReferenceRow,
  referenceRows,
} from "../../../domain/references";
import { useSearchState } from "../../../lib/search-state";
import { csvLines, CUTS, type PartBy, publishedLine, rowsOf, Soft, Undecided } from "../beside-columns";
import styles from "./board.module.css";

const FIGURES = [
  "accuracy_all",
  "error_multiple",
  "macro_f1",
  "f1",
  "precision",
  "recall",
  "cohen_kappa",
  "gwet_ac1",
  "accepted_share",
  "correct_share",
  "bias",
  "tp_share",
  "fn_share",
  "fp_share",
  "tn_share",
] as const satisfies readonly FigureName[];
const MEASURES = FIGURES.map((value) => ({
  value,
  name: NAMES[value].name,
  look: LOOKS[NAMES[value].look],
}));
type Measure = (typeof MEASURES)[number];
const [AGREES] = MEASURES as [Measure];

interface PartsSectionProps {
  readonly slug: string;
  readonly rows: readonly JudgeBoardRow[];
  readonly common: boolean;
}

export function PartsSection({ slug, rows, common }: PartsSectionProps) {
  const search = useSearchState();
  const by = CUTS.find(({ value }) => value === search.read("by")) ?? CUTS[0];
  const measure = MEASURES.find(({ value }) => value === search.read("figure")) ?? AGREES;
  return (
    <>
      <div className={styles["choices"]}>
        <Choice
          label="Breakdown by"
          value={by.value}
          options={CUTS}
          onChange={(by) => search.write({ by })}
        />
        <Choice
          label="Statistic"
          value={measure.value}
          options={MEASURES}
          onChange={(figure) => search.write({ figure })}
        />
      </div>
      <Parts
        slug={slug}
        judges={rows.filter(({ run }) => run !== "")}
        by={by}
        measure={measure}
        common={common}
      />
    </>
  );
}

interface PartsProps {
  readonly slug: string;
  readonly judges: readonly JudgeBoardRow[];
  readonly by: { readonly value: PartBy; readonly name: string };
  readonly measure: Measure;
  readonly common: boolean;
}

interface PartRow {
  readonly name: string;
  /** Nothing where it is known by published numbers alone. */
  readonly answers: number | null;
  /** By run. */
  readonly found: Readonly<Record<string, BoardRow>>;
}

function Parts({ slug, judges, by, measure, common }: PartsProps) {
  const points = useParts({ slug, judges, by: by.value, common, intervals: false });
  const isThere = points.every(({ isSuccess }) => isSuccess);
  const bounded = useParts({ slug, judges, by: by.value, common, intervals: true, enabled: isThere });
  const published = usePublishedParts(by.value);
  const failed = points.find(({ isError }) => isError);
  if (failed) return <Soft>Could not load the breakdown. {failed.error?.message}</Soft>;
  if (points.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const found = points.map(({ data }, place) => bounded[place]?.data ?? data);
  const measured = partRows(
    judges,
    found.map((own) => own?.parts ?? []),
  );
  const shown = published.filter(({ scores }) => scores[measure.value] !== undefined);
  const parts = [...measured, ...furtherRows(measured, shown)];
  const linesOf = ({ name: judge, run }: JudgeBoardRow, place: number) =>
    parts.flatMap(({ name: part, found: { [run]: own } }) => {
      const signature = found[place]?.signature ?? "";
      return own ? [{ ...own, names: { judge, part }, published: "", signature }] : [];
    });
  if (parts.length === 0) return <Soft>People have not decided any answers in this breakdown.</Soft>;
  return (
    <>
      <Undecided undecided={found[0]?.undecided ?? 0} />
      <Computing query={stateOf(bounded)} />
      {by.value === "system" && (
        <Soft>
          Here, an answer counts once for each system that gave it. In the “Judges” table, it counts only
          once. If judges do well on answers that many systems gave, the statistics of every system can
          therefore be better than the overall statistics.
        </Soft>
      )}
      <Table
        caption={`${measure.name} by ${by.name.toLowerCase()}`}
        rows={parts}
        rowKey={({ name }) => name}
        columns={[
          { key: "name", header: by.name, cell: ({ name }: PartRow) => <span dir="auto">{name}</span> },
          { key: "n", header: "Answers", align: "end", value: ({ answers }: PartRow) => answers },
          ...judges.map(({ run, name }) =>
            columnOfFigure<PartRow>(measure.value, ({ found }) => found[run]?.figures[measure.value], {
              key: run,
              header: name,
            }),
          ),
          ...publishedColumns(shown, measure),
        ]}
        note={
          <>
            Thin bars show 95% intervals, computed over questions.
            {measure.value === "error_multiple" &&
              " One annotator’s error is the share of annotators’ votes on these answers that differ from the other annotators’ votes."}
          </>
        }
        file={{
          name: `judges-by-${by.value}`,
          lines: csvLines(FIGURES, [
            ...judges.flatMap(linesOf),
            ...published.map(({ part, ...row }) =>
              publishedLine({ judge: publishedName(row), part }, row.scores),
            ),
          ]),
          judges: judges.map(({ name }, place) => ({ name, signature: found[place]?.signature ?? "" })),
        }}
      />
    </>
  );
}

interface PartsOptions {
  readonly slug: string;
  readonly judges: readonly JudgeBoardRow[];
  readonly by: PartBy;
  readonly common: boolean;
  readonly intervals: boolean;
  readonly enabled?: boolean;
}

/** With intervals asked for once the figures are there. */
function useParts({ slug, judges, by, common, intervals, enabled = true }: PartsOptions) {
  return useQueries({
    queries: judges.map(({ run }) => ({
      ...read("/api/projects/{slug}/judge-board/{run}/parts", { slug, run }, { by, common, intervals }),
      enabled,
    })),
  });
}

function stateOf(queries: readonly { readonly isPending: boolean; readonly isError: boolean }[]) {
  return {
    isPending: queries.some(({ isPending }) => isPending),
    isError: queries.some(({ isError }) => isError),
  };
}

function partRows(judges: readonly JudgeBoardRow[], found: readonly (readonly BoardRow[])[]): PartRow[] {
  return (found[0] ?? []).map((part) => ({
    name: part.name,
    answers: rowsOf(part),
    found: Object.fromEntries(
      judges.flatMap(({ run }, place) => {
        const own = found[place]?.find(({ name }) => name === part.name);
        return own ? [[run, own]] : [];
      }),
    ),
  }));
}

/** Systems of which there are published numbers only. */
function furtherRows(measured: readonly PartRow[], published: readonly PublishedPart[]): PartRow[] {
  const known = new Set(measured.map(({ name }) => name));
  const further = new Set(published.map(({ part }) => part).filter((part) => !known.has(part)));
  return [...further].map((name) => ({ name, answers: null, found: {} }));
}

/** What one judge was published to reach on the answers of one system, by measure. */
interface PublishedPart extends ReferenceRow {
  /** The system, as the table calls its row. */
  readonly part: string;
}

/** Only where parts are systems: a published number is of no other part. */
function usePublishedParts(by: PartBy): readonly PublishedPart[] {
  const { slug } = useProject();
  const enabled = by === "system";
  const judges = usePublished("judge", enabled);
  const { data: systems = [] } = useQuery({ ...read("/api/projects/{slug}/systems", { slug }), enabled });
  const names = partNames(systems);
  return systems.flatMap(({ name }, place) =>
    referenceRows(
      judges.filter(({ system }) => system === name),
      byMeasure(FIGURES),
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

/** A column a judge, of numbers among which this figure is; without an order, as it enters none. */
function publishedColumns(parts: readonly PublishedPart[], { value, look }: Measure): Column<PartRow>[] {
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
