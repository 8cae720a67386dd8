/** Where raters agree more and where less: part by part, and under every reading of the labels. */
import { useQueries } from "@tanstack/react-query";
import type { Agreement, Slice, Slices as Cut } from "../../api/schema";
import { useProject } from "../../api/project";
import { Choice } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { Computing } from "../../domain/intervals";
import { LABEL_VIEWS } from "../../domain/vote-reading";
import type { SearchState } from "../../lib/search-state";
import styles from "./agreement-page.module.css";
import { fileColumns, figureColumns, paradoxCells, sayFew } from "./columns";
import { DisputedLink } from "./disputed-link";
import { agreementQuery, type AgreementWay, useSlices } from "./way";
import { dimensionOf, DIMENSIONS } from "./words";

interface SlicesProps {
  readonly way: AgreementWay;
  /** The labels as they are read here have an order and are more than two. */
  readonly isOrdered: boolean;
  readonly search: SearchState;
}

export function Slices({ way, isOrdered, search }: SlicesProps) {
  const { slug } = useProject();
  const by = dimensionOf(search.read("by"));
  const { query, computing } = useSlices(slug, way, by);
  return (
    <>
      <QueryView query={query}>
        {(parts) => (
          <>
            <div className={styles["choice"]}>
              <Choice
                label="Breakdown by"
                value={by}
                options={DIMENSIONS.filter(({ value }) => parts.dimensions.includes(value))}
                onChange={(by) => search.write({ by })}
              />
            </div>
            <Parts parts={parts} isOrdered={isOrdered} way={way} />
          </>
        )}
      </QueryView>
      <Computing query={computing} />
    </>
  );
}

interface PartsProps {
  readonly parts: Cut;
  readonly isOrdered: boolean;
  readonly way: AgreementWay;
}

function Parts({ parts, isOrdered, way }: PartsProps) {
  const things = way.check === "" ? "Answers" : "Questions";
  const { by } = parts;
  const name = DIMENSIONS.find(({ value }) => value === by)?.name ?? by;
  if (parts.slices.length === 0) return <p>No answer judged by two annotators is in any of these groups.</p>;
  const nameColumn: Column<Slice> = {
    key: by,
    header: name,
    cell: (part) => <span dir="auto">{part.name}</span>,
    value: (part) => part.name,
  };
  return (
    <Table
      folds
      caption={`Agreement by ${name.toLowerCase()}`}
      rows={parts.slices.map(sayFew)}
      rowKey={(part) => part.name}
      columns={[
        nameColumn,
        ...figureColumns<Slice>({
          things,
          isOrdered,
          differing: (part) => (
            <DisputedLink way={way} count={part.disagreements} part={{ by, part: part.name }} />
          ),
        }),
      ]}
      file={{
        name: `agreement-by-${by}`,
        columns: [nameColumn, ...fileColumns<Slice>()],
        rows: parts.slices,
        signature: parts.signature,
      }}
    />
  );
}

interface ReadingsProps {
  readonly report: Agreement;
  readonly way: AgreementWay;
}

export function Readings({ report, way }: ReadingsProps) {
  const { slug } = useProject();
  const queries = useQueries({
    queries: report.label_views.flatMap((labels) => [
      agreementQuery(slug, { ...way, labels }, true),
      agreementQuery(slug, { ...way, labels }, false),
    ]),
  });
  const rows = report.label_views.flatMap((labels, place) => {
    const read = [queries[2 * place], queries[2 * place + 1]].find((query) => query?.data?.labels === labels);
    return read?.data ? [read.data] : [];
  });
  const reading: Column<Agreement> = {
    key: "labels",
    header: "Label grouping",
    cell: ({ labels }) => nameOf(labels),
    csv: ({ labels }) => ({ labels }),
  };
  // Each reading has labels of its own, which would be columns of their own.
  const file = fileColumns<Agreement>().filter(({ key }) => key !== "prevalence");
  return (
    <Table
      caption="Agreement by label grouping"
      rows={rows.map(sayFew)}
      rowKey={({ labels }) => labels}
      isSelected={({ labels }) => labels === report.labels}
      columns={[
        reading,
        ...figureColumns<Agreement>({
          things: "Answers",
          isOrdered: report.label_views.length > 1,
          differing: ({ labels, disagreements }) => (
            <DisputedLink way={{ ...way, labels }} count={disagreements} />
          ),
        }),
      ]}
      file={{
        name: "agreement-by-reading",
        columns: [reading, ...file, PARADOX, SIGNATURE],
        rows,
        judges: rows.map(({ labels, signature }) => ({ name: nameOf(labels), signature })),
      }}
    />
  );
}

const PARADOX = { key: "kappa_paradox", csv: ({ is_paradox }: Agreement) => paradoxCells(is_paradox) };
const SIGNATURE = { key: "signature", value: ({ signature }: Agreement) => signature };

function nameOf(labels: Agreement["labels"]): string {
  return LABEL_VIEWS.find(({ value }) => value === labels)?.name ?? labels;
}
