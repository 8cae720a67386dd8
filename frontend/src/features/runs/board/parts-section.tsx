/** Which judge can be trusted where: parts of the study by judges, one figure at a time. */
import { useQueries } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { BoardRow, JudgeBoardRow } from "../../../api/schema";
import { FIGURES as NAMES } from "../../../api/figures";
import { CsvButton } from "../../../components/csv-button";
import { Select } from "../../../components/form";
import {
  FigureCell,
  figureCells,
  figureIn,
  type FigureName,
  LOOKS,
  whyWords,
} from "../../../components/figure";
import { Skeleton } from "../../../components/query-view";
import type { Signed } from "../../../components/signature";
import { type Column, Table } from "../../../components/table";
import { formatCount } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { Computing, rowsOf, Soft } from "../beside-columns";
import { CUTS, type PartBy } from "../cuts";
import styles from "./board.module.css";
import { publishedColumns, publishedLine, type PublishedPart, usePublishedParts } from "./published-parts";

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
        <Select label="By" value={by.value} onChange={({ target }) => search.write({ by: target.value })}>
          {CUTS.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          label="Figure"
          value={measure.value}
          onChange={({ target }) => search.write({ figure: target.value })}
        >
          {MEASURES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
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

/** A judge by its run, with what produced its figures in these parts. */
type SignedRun = Signed & { readonly run: string };

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
  const published = usePublishedParts(by.value, FIGURES);
  const failed = points.find(({ isError }) => isError);
  if (failed) return <Soft>These parts could not be read: {failed.error?.message}</Soft>;
  if (points.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const found = points.map(({ data }, place) => bounded[place]?.data ?? data);
  const measured = partRows(
    judges,
    found.map((own) => own?.parts ?? []),
  );
  const shown = published.filter(({ scores }) => scores[measure.value] !== undefined);
  const parts = [...measured, ...furtherRows(measured, shown)];
  const signed = judges.map(({ name, run }, place) => ({
    name,
    run,
    signature: found[place]?.signature ?? "",
  }));
  if (parts.length === 0) return <Soft>Nothing that people decided belongs to a part of this kind.</Soft>;
  return (
    <>
      <Table
        caption={`${measure.name} by ${by.name.toLowerCase()}`}
        rows={parts}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "name",
            header: by.name,
            isRowHeader: true,
            cell: ({ name }: PartRow) => <span dir="auto">{name}</span>,
          },
          {
            key: "n",
            header: "Answers",
            align: "end",
            cell: ({ answers }: PartRow) => (answers === null ? "–" : formatCount(answers)),
            value: ({ answers }: PartRow) => answers,
          },
          ...judges.map((judge) => judgeColumn(judge, measure)),
          ...publishedColumns(shown, measure),
        ]}
      />
      <div className={styles["below"]}>
        <Computing query={stateOf(bounded)} />
        <Soft>
          By system an answer counts once for each that gave it. Thin bars are 95 % intervals over questions.
          {measure.value === "error_multiple" &&
            " Another human’s error is the share of raters’ votes on the part’s answers that differ from the other raters’."}
        </Soft>
        <CsvButton
          name={`judges-by-${by.value}`}
          rows={[...csvOf(signed, parts), ...published.map(csvOfPublished)]}
          judges={signed}
        />
      </div>
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

function judgeColumn(judge: JudgeBoardRow, { value, look }: Measure): Column<PartRow> {
  const figureOf = ({ found }: PartRow) => figureIn(found[judge.run]?.figures, value);
  return {
    key: judge.run,
    header: judge.name,
    align: "end",
    cell: (row) => {
      const figure = figureOf(row);
      return <FigureCell {...figure} words={whyWords(figure)} look={look} />;
    },
    value: (row) => figureOf(row).value,
  };
}

function csvOf(judges: readonly SignedRun[], parts: readonly PartRow[]) {
  return judges.flatMap((judge) =>
    parts.flatMap(({ name, found }) => {
      const own = found[judge.run];
      if (!own) return [];
      return [
        {
          judge: judge.name,
          part: name,
          ...own.counts,
          ...figureCells(own.figures, FIGURES),
          published: "",
          signature: judge.signature,
        },
      ];
    }),
  );
}

/** In the same columns as what was measured here; its n stands in no column of counts. */
function csvOfPublished(row: PublishedPart) {
  const { judge, part, figures, published } = publishedLine(row, FIGURES);
  const counts = { tp: null, fn: null, fp: null, tn: null, unscored: null };
  return { judge, part, ...counts, ...figureCells(figures, FIGURES), published, signature: "" };
}
