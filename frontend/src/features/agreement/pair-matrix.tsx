/** Each pair of raters: how many answers they share and how far they agree. */
import type { AgreementWay } from "../../api/agreement";
import type { AgreementFigures } from "../../api/schema";
import { useProject } from "../../api/project";
import { BoundedNumber } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { Table } from "../../components/table";
import { csvBounded } from "../../lib/csv";
import { formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { DisputedLink } from "./disputed-link";
import { ParadoxMark } from "./figure-cells";
import { KappaGrid } from "./kappa-grid";
import { thingOf } from "./words";

type Pair = AgreementFigures["pairs"][number];

interface PairMatrixProps {
  readonly report: AgreementFigures;
  /** How the votes were read; without it, as in a pilot, no pair leads to its rows. */
  readonly way?: AgreementWay;
}

export function PairMatrix({ report, way }: PairMatrixProps) {
  if (report.pairs.length === 0) return <p>No two raters have judged the same answer yet.</p>;
  return (
    <>
      <KappaGrid pairs={report.pairs} {...(way && { way })} />
      <PairTable pairs={report.pairs} {...(way && { way })} />
      <div className={styles["below"]}>
        <CsvButton name="agreement-of-pairs" rows={report.pairs.map(csvOf)} signature={report.signature} />
      </div>
    </>
  );
}

function csvOf({ a, b, items, disagreements, observed, cohen, interval, is_paradox }: Pair) {
  return {
    a,
    b,
    items,
    disagreements,
    ...csvBounded("observed_agreement", observed, interval["observed"]),
    ...csvBounded("cohen_kappa", cohen, interval["cohen"]),
    kappa_paradox: is_paradox ? "yes" : "no",
  };
}

interface PairTableProps {
  readonly pairs: readonly Pair[];
  readonly way?: AgreementWay;
}

function PairTable({ pairs, way }: PairTableProps) {
  const things = thingOf(way) === "question" ? "Questions" : "Answers";
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
          value: (pair) => `${pair.a} ${pair.b}`,
        },
        {
          key: "items",
          header: `${things} compared`,
          align: "end",
          value: (pair) => pair.items,
        },
        {
          key: "disagreements",
          header: "Differ",
          align: "end",
          cell: (pair) => <Differing pair={pair} {...(way && { way })} />,
          value: (pair) => pair.disagreements,
        },
        {
          key: "observed",
          header: "Equal votes",
          align: "end",
          cell: (pair) => (
            <BoundedNumber
              text={formatPercent(pair.observed)}
              interval={pair.interval["observed"]}
              format={formatPercent}
              words={pair.words["interval.observed"]}
            />
          ),
          value: (pair) => pair.observed,
        },
        {
          key: "cohen",
          header: "Cohen’s κ",
          align: "end",
          cell: (pair) => <Kappa pair={pair} />,
          value: (pair) => pair.cohen,
        },
      ]}
    />
  );
}

/** Who decides without knowing raters is led to no pair of them. */
function Differing({ pair, way }: { readonly pair: Pair; readonly way?: AgreementWay }) {
  const { role } = useProject();
  if (way === undefined || role !== "lead") return formatCount(pair.disagreements);
  return <DisputedLink way={way} count={pair.disagreements} pair={pair} />;
}

function Kappa({ pair }: { readonly pair: Pair }) {
  if (pair.cohen === null) return <span className={styles["soft"]}>{pair.words["cohen"]}</span>;
  return (
    <>
      <BoundedNumber
        text={formatCoefficient(pair.cohen, 3)}
        interval={pair.interval["cohen"]}
        format={(end) => formatCoefficient(end, 3)}
        words={pair.words["interval.cohen"]}
      />{" "}
      <ParadoxMark isMarked={pair.is_paradox} />
    </>
  );
}
