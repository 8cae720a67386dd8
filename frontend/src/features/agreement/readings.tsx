/** The same votes under every reading of the labels, side by side. */
import { useQueries } from "@tanstack/react-query";
import { agreementQuery, type AgreementWay } from "../../api/agreement";
import type { Agreement } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Table } from "../../components/table";
import { LABEL_VIEWS } from "../../domain/vote-reading";
import styles from "./agreement-page.module.css";
import { DisputedLink } from "./disputed-link";
import { csvOf, figureColumns } from "./figure-cells";

interface ReadingsProps {
  readonly report: Agreement;
  readonly way: AgreementWay;
}

export function Readings({ report, way }: ReadingsProps) {
  const { slug } = useProject();
  const queries = useQueries({
    queries: report.label_views.flatMap((labels) => [
      agreementQuery(slug, { ...way, labels }, { intervals: true }),
      agreementQuery(slug, { ...way, labels }, { intervals: false }),
    ]),
  });
  const rows = report.label_views.flatMap((labels, place) => {
    const read = [queries[2 * place], queries[2 * place + 1]].find((query) => query?.data?.labels === labels);
    return read?.data ? [read.data] : [];
  });
  return (
    <>
      <Table
        caption="Agreement under each reading of the labels"
        rows={rows}
        rowKey={({ labels }) => labels}
        isSelected={({ labels }) => labels === report.labels}
        columns={[
          {
            key: "labels",
            header: "Labels read",
            isRowHeader: true,
            cell: ({ labels }: Agreement) => nameOf(labels),
          },
          ...figureColumns<Agreement>({
            raters: report.raters,
            things: "Answers",
            isOrdered: report.label_views.length > 1,
            differing: ({ labels, disagreements }) => (
              <DisputedLink way={{ ...way, labels }} count={disagreements} />
            ),
          }),
        ]}
      />
      <div className={styles["below"]}>
        <CsvButton
          name="agreement-by-reading"
          rows={rows.map((row) => ({
            labels: row.labels,
            ...withoutVotes(csvOf(row)),
            signature: row.signature,
          }))}
          judges={rows.map(({ labels, signature }) => ({ name: nameOf(labels), signature }))}
        />
      </div>
    </>
  );
}

function nameOf(labels: Agreement["labels"]): string {
  return LABEL_VIEWS.find(({ value }) => value === labels)?.name ?? labels;
}

/** Each reading has labels of its own, which would be columns of their own. */
function withoutVotes<Cells extends object>(cells: Cells) {
  return Object.fromEntries(Object.entries(cells).filter(([key]) => !key.startsWith("votes_")));
}
