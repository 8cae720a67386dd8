/** Which judge can be trusted where: parts of the study by judges, one figure at a time. */
import { useQueries } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { JudgeBoardRow, JudgedPart, PartBy } from "../../../api/contract";
import { CsvButton } from "../../../components/csv-button";
import { Select } from "../../../components/form";
import { Skeleton } from "../../../components/query-view";
import type { Signed } from "../../../components/signature";
import { type Column, Table } from "../../../components/table";
import { formatCount } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import {
  type Bounds,
  boundsIn,
  COEFFICIENT,
  Computing,
  csvFigures,
  DIFFERENCE,
  Figure,
  MULTIPLE,
  pick,
  rowsOf,
  SHARE,
  Soft,
} from "../beside-columns";
import { CUTS } from "../cuts";
import styles from "./board.module.css";
import { publishedColumns, publishedLine, type PublishedPart, usePublishedParts } from "./published-parts";

const MEASURES = [
  { value: "accuracy_all", name: "Agrees with people (%)", look: SHARE },
  { value: "error_multiple", name: "Error, × another human’s", look: MULTIPLE },
  { value: "macro_f1", name: "Macro-F1 (%)", look: SHARE },
  { value: "f1", name: "F1 (%)", look: SHARE },
  { value: "precision", name: "Precision (%)", look: SHARE },
  { value: "recall", name: "Recall (%)", look: SHARE },
  { value: "cohen_kappa", name: "Cohen’s κ", look: COEFFICIENT },
  { value: "gwet_ac1", name: "Gwet’s AC1", look: COEFFICIENT },
  { value: "accepted_share", name: "Says right (%)", look: SHARE },
  { value: "correct_share", name: "Is right (%)", look: SHARE },
  { value: "bias", name: "Bias (points)", look: DIFFERENCE },
  { value: "tp_share", name: "TP, both accept (%)", look: SHARE },
  { value: "fn_share", name: "FN, the judge rejects, people accept (%)", look: SHARE },
  { value: "fp_share", name: "FP, the judge accepts, people reject (%)", look: SHARE },
  { value: "tn_share", name: "TN, both reject (%)", look: SHARE },
] as const;
type Measure = (typeof MEASURES)[number];
const FIGURES = MEASURES.map(({ value }) => value);

interface PartsSectionProps {
  readonly slug: string;
  readonly rows: readonly JudgeBoardRow[];
  readonly common: boolean;
}

export function PartsSection({ slug, rows, common }: PartsSectionProps) {
  const search = useSearchState();
  const by = CUTS.find(({ value }) => value === search.read("by")) ?? CUTS[0];
  const measure = MEASURES.find(({ value }) => value === search.read("figure")) ?? MEASURES[0];
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
  readonly found: Readonly<Record<string, JudgedPart>>;
}

function Parts({ slug, judges, by, measure, common }: PartsProps) {
  const queries = useQueries({
    queries: judges.map(({ run }) =>
      read("/api/projects/{slug}/judge-board/{run}/parts", { slug, run }, { by: by.value, common }),
    ),
  });
  const isThere = queries.every(({ isSuccess }) => isSuccess);
  const { boundsOf, intervals } = usePartBounds({ slug, judges, by: by.value, common, enabled: isThere });
  const published = usePublishedParts(by.value, FIGURES);
  const failed = queries.find(({ isError }) => isError);
  if (failed) return <Soft>These parts could not be read: {failed.error?.message}</Soft>;
  if (queries.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const found = queries.map(({ data }) => data);
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
            sortBy: ({ answers }: PartRow) => answers,
          },
          ...judges.map((judge) => judgeColumn(judge, measure, boundsOf)),
          ...publishedColumns(shown, measure),
        ]}
      />
      <div className={styles["below"]}>
        <Computing query={intervals} />
        <Soft>
          By system an answer counts once for each that gave it. Thin bars are 95 % intervals over questions.
          {measure.value === "error_multiple" &&
            " Another human’s error is the share of raters’ votes on the part’s answers that differ from the other raters’."}
        </Soft>
        <CsvButton
          name={`judges-by-${by.value}`}
          rows={[...csvOf(signed, parts, boundsOf), ...published.map(csvOfPublished)]}
          judges={signed}
        />
      </div>
    </>
  );
}

type BoundsOf = (run: string, part: string, figure: string) => Bounds;

interface PartBoundsOptions {
  readonly slug: string;
  readonly judges: readonly JudgeBoardRow[];
  readonly by: PartBy;
  readonly common: boolean;
  readonly enabled: boolean;
}

/** Asked for once the figures are there. */
function usePartBounds({ slug, judges, by, common, enabled }: PartBoundsOptions) {
  const queries = useQueries({
    queries: judges.map(({ run }) => ({
      ...read("/api/projects/{slug}/judge-board/{run}/parts/intervals", { slug, run }, { by, common }),
      enabled,
    })),
  });
  const boundsOf: BoundsOf = (run, name, figure) => {
    const place = judges.findIndex((judge) => judge.run === run);
    return boundsIn(
      queries[place]?.data?.find((part) => part.name === name),
      figure,
    );
  };
  const intervals = {
    isPending: queries.some(({ isPending }) => isPending),
    isError: queries.some(({ isError }) => isError),
  };
  return { boundsOf, intervals };
}

function partRows(judges: readonly JudgeBoardRow[], found: readonly (readonly JudgedPart[])[]): PartRow[] {
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

function judgeColumn(judge: JudgeBoardRow, { value, look }: Measure, boundsOf: BoundsOf): Column<PartRow> {
  return {
    key: judge.run,
    header: judge.name,
    align: "end",
    cell: ({ name, found }) => {
      const own = found[judge.run];
      const bounds = boundsOf(judge.run, name, value);
      return <Figure value={own?.[value] ?? null} bounds={bounds} words={own?.words[value]} look={look} />;
    },
    sortBy: ({ found }) => found[judge.run]?.[value] ?? null,
  };
}

function csvOf(judges: readonly SignedRun[], parts: readonly PartRow[], boundsOf: BoundsOf) {
  return judges.flatMap((judge) =>
    parts.flatMap(({ name, found }) => {
      const own = found[judge.run];
      if (!own) return [];
      const { tp, fn, fp, tn, unscored } = own;
      const figures = pick(own, FIGURES);
      return [
        {
          judge: judge.name,
          part: name,
          tp,
          fn,
          fp,
          tn,
          unscored,
          ...csvFigures(figures, (figure) => boundsOf(judge.run, name, figure)),
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
  return { judge, part, ...counts, ...csvFigures(figures, () => null), published, signature: "" };
}
