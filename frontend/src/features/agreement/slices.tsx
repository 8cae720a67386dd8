/** Where raters agree more and where less: the study cut into parts, one way at a time. */
import type { AgreementWay } from "../../api/agreement";
import type { Slice, Slices as AgreementSlices } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import type { SearchState } from "../../lib/search-state";
import styles from "./agreement-page.module.css";
import { DisputedLink } from "./disputed-link";
import { csvOf, figureColumns } from "./figure-cells";
import { useSlices } from "./use-agreement";
import { dimensionOf, DIMENSIONS } from "./words";

interface SlicesProps {
  readonly way: AgreementWay;
  readonly raters: number;
  /** The labels as they are read here have an order and are more than two. */
  readonly isOrdered: boolean;
  readonly search: SearchState;
}

export function Slices({ way, raters, isOrdered, search }: SlicesProps) {
  const { slug } = useProject();
  const by = dimensionOf(search.read("by"));
  const { query, isComputing } = useSlices(slug, way, by);
  return (
    <>
      <QueryView query={query}>
        {(parts) => (
          <>
            <div className={styles["choice"]}>
              <Select label="By" value={by} onChange={({ target }) => search.write({ by: target.value })}>
                {DIMENSIONS.filter(({ value }) => parts.dimensions.includes(value)).map(({ value, name }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </Select>
            </div>
            <Parts parts={parts} raters={raters} isOrdered={isOrdered} way={way} />
          </>
        )}
      </QueryView>
      {isComputing && <p className={styles["soft"]}>Intervals are being computed.</p>}
    </>
  );
}

interface PartsProps {
  readonly parts: AgreementSlices;
  readonly raters: number;
  readonly isOrdered: boolean;
  readonly way: AgreementWay;
}

/** The disputed answers or questions of a part, one click away. */
function linkOf(way: AgreementWay, by: AgreementSlices["by"]) {
  return function Differing({ name, disagreements }: Slice) {
    return <DisputedLink way={way} count={disagreements} part={{ by, part: name }} />;
  };
}

function Parts({ parts, raters, isOrdered, way }: PartsProps) {
  const isOfAnswers = way.check === "";
  const things = isOfAnswers ? "Answers" : "Questions";
  const name = DIMENSIONS.find(({ value }) => value === parts.by)?.name ?? parts.by;
  if (parts.slices.length === 0) return <p>Nothing that two raters judged belongs to a part of this kind.</p>;
  return (
    <>
      <Table
        folds
        caption={`Agreement by ${name.toLowerCase()}`}
        rows={parts.slices}
        rowKey={(part) => part.name}
        columns={[
          {
            key: "name",
            header: name,
            isRowHeader: true,
            cell: (part: Slice) => <span dir="auto">{part.name}</span>,
            value: (part: Slice) => part.name,
          },
          ...figureColumns<Slice>({
            raters,
            things,
            isOrdered,
            differing: linkOf(way, parts.by),
          }),
        ]}
      />
      <div className={styles["below"]}>
        <CsvButton
          name={`agreement-by-${parts.by}`}
          rows={parts.slices.map((part) => ({ [parts.by]: part.name, ...csvOf(part) }))}
          signature={parts.signature}
        />
      </div>
    </>
  );
}
