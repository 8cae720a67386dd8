/** Each pair of raters: how many answers they share and how far they agree. */
import type { AgreementFigures } from "../../api/contract";
import { CsvButton } from "../../components/csv-button";
import { Table } from "../../components/table";
import { formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { ParadoxMark } from "./figure-cells";
import { KappaGrid } from "./kappa-grid";

type Pair = AgreementFigures["pairs"][number];

export function PairMatrix({ report }: { readonly report: AgreementFigures }) {
  if (report.pairs.length === 0) return <p>No two raters have judged the same answer yet.</p>;
  return (
    <>
      <KappaGrid pairs={report.pairs} />
      <PairTable pairs={report.pairs} />
      <p className={styles["below"]}>
        <CsvButton name="agreement-of-pairs" rows={report.pairs.map(csvOf)} />
      </p>
    </>
  );
}

function csvOf({ a, b, items, observed, cohen, is_paradox }: Pair) {
  return {
    a,
    b,
    items,
    observed_agreement: observed,
    cohen_kappa: cohen,
    kappa_paradox: is_paradox ? "yes" : "no",
  };
}

function PairTable({ pairs }: { readonly pairs: readonly Pair[] }) {
  return (
    <Table
      caption="Agreement of each pair of raters"
      rows={pairs}
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
  return (
    <>
      {formatCoefficient(pair.cohen, 3)} <ParadoxMark isMarked={pair.is_paradox} />
    </>
  );
}
