/** Each pair of raters: how many answers they share and how far they agree. */
import type { AgreementReport } from "../../api/contract";
import { Table } from "../../components/table";
import { formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";

type Pair = AgreementReport["pairs"][number];

export function PairMatrix({ report }: { readonly report: AgreementReport }) {
  if (report.pairs.length === 0) return <p>No two raters have judged the same answer yet.</p>;
  return (
    <Table
      caption="Agreement of each pair of raters"
      rows={report.pairs}
      rowKey={(pair) => `${pair.a} ${pair.b}`}
      columns={[
        {
          key: "pair",
          header: "Raters",
          isRowHeader: true,
          cell: (pair) => `${pair.a} and ${pair.b}`,
          sortBy: (pair) => `${pair.a} ${pair.b}`,
        },
        {
          key: "items",
          header: "Answers both judged",
          align: "end",
          cell: (pair) => formatCount(pair.items),
          sortBy: (pair) => pair.items,
        },
        {
          key: "observed",
          header: "Equal votes",
          align: "end",
          cell: (pair) => formatPercent(pair.observed),
          sortBy: (pair) => pair.observed,
        },
        {
          key: "cohen",
          header: "Cohen’s κ",
          align: "end",
          cell: (pair) => <Kappa pair={pair} />,
          sortBy: (pair) => pair.cohen,
        },
      ]}
    />
  );
}

function Kappa({ pair }: { readonly pair: Pair }) {
  if (pair.cohen === null) return <span className={styles["soft"]}>{pair.words}</span>;
  return formatCoefficient(pair.cohen, 3);
}
