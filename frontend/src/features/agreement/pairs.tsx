/** Each pair of raters: how many answers they share and how far they agree, as a grid and as a table. */
import type { PairAgreement, SignedAgreement } from "../../api/schema";
import { figureColumn, figureIn, intervalWords, whyWords } from "../../components/figure";
import { PairGrid } from "../../components/pair-grid";
import { type Column, numberColumn, Table } from "../../components/table";
import { explained } from "../../components/term";
import { countOf, formatCoefficient, formatCount } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { paradoxCells, ParadoxMark } from "./columns";
import { DisputedLink } from "./disputed-link";
import type { AgreementWay } from "./way";
import { thingOf } from "./words";

type Pair = PairAgreement;

const kappaOf = ({ figures }: Pair) => figureIn(figures, "cohen_kappa");

interface PairMatrixProps {
  readonly report: SignedAgreement;
  /** How the votes were read; without it, as in a pilot, no pair leads to its rows. */
  readonly way?: AgreementWay;
}

export function PairMatrix({ report, way }: PairMatrixProps) {
  if (report.pairs.length === 0) return <p>No two annotators have judged the same answer yet.</p>;
  const columns = columnsOf(way);
  return (
    <>
      <KappaGrid pairs={report.pairs} {...(way && { way })} />
      <Table
        caption="Agreement for each pair of annotators"
        rows={report.pairs}
        rowKey={(pair) => `${pair.a} ${pair.b}`}
        columns={columns}
        file={{ name: "agreement-of-pairs", signature: report.signature }}
      />
    </>
  );
}

function columnsOf(way: AgreementWay | undefined): Column<Pair>[] {
  const kappa = figureColumn<Pair>("cohen_kappa");
  return [
    {
      key: "pair",
      header: "Annotators",
      explains: explained("pseudonym"),
      cell: (pair) => `${pair.a} and ${pair.b}`,
      value: (pair) => `${pair.a} ${pair.b}`,
      csv: ({ a, b }) => ({ a, b }),
    },
    numberColumn(
      "items",
      `${thingOf(way) === "question" ? "Questions" : "Answers"} compared`,
      (pair) => pair.items,
    ),
    numberColumn("disagreements", "Disagreements", (pair) => pair.disagreements, {
      cell: (pair) => <Differing pair={pair} {...(way && { way })} />,
    }),
    figureColumn("observed_agreement"),
    {
      ...kappa,
      cell: (pair) => (
        <>
          {kappa.cell?.(pair)} <ParadoxMark isMarked={pair.is_paradox} />
        </>
      ),
      csv: (pair) => ({ ...kappa.csv?.(pair), ...paradoxCells(pair.is_paradox) }),
    },
  ];
}

function Differing({ pair, way }: { readonly pair: Pair; readonly way?: AgreementWay }) {
  if (way === undefined) return formatCount(pair.disagreements);
  return <DisputedLink way={way} count={pair.disagreements} pair={pair} />;
}

const MOST = 24;

interface KappaGridProps {
  readonly pairs: readonly Pair[];
  readonly way?: AgreementWay;
}

function KappaGrid({ pairs, way }: KappaGridProps) {
  const raters = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].toSorted();
  if (raters.length < 3 || raters.length > MOST) return null;
  const thing = thingOf(way);
  const most = Math.max(0, ...pairs.map(({ items }) => items));
  return (
    <PairGrid
      title="Cohen’s κ for each pair of annotators"
      note={`Each pair judged up to ${countOf(most, thing)} in common.`}
      of="Annotator"
      members={raters.map((rater) => ({ key: rater, name: rater }))}
      pairs={pairs}
      endsOf={({ a, b }) => [a, b]}
      missing={`no shared ${thing}s`}
      squareOf={(pair) => {
        const { value } = kappaOf(pair);
        const text = value === null ? "undefined" : formatCoefficient(value);
        const title = `${countOf(pair.items, thing)}. ${boundsWords(pair)}`;
        return {
          depth: value,
          text,
          title,
          content: <Kappa pair={pair} text={text} {...(way && { way })} />,
          isLink: way !== undefined,
        };
      }}
    />
  );
}

/** Why there is no figure, or what it lies between. */
function boundsWords(pair: Pair): string {
  const kappa = kappaOf(pair);
  if (kappa.value === null) return whyWords(kappa) ?? "";
  const interval = intervalWords(kappa, formatCoefficient);
  return interval && `${interval}.`;
}

interface KappaProps {
  readonly pair: Pair;
  readonly text: string;
  readonly way?: AgreementWay;
}

function Kappa({ pair, text, way }: KappaProps) {
  const bounds = boundsWords(pair);
  return (
    <>
      {way ? (
        <DisputedLink way={way} count={pair.disagreements} pair={pair}>
          {text}
        </DisputedLink>
      ) : (
        text
      )}
      {bounds && <span className="visually-hidden">, {bounds}</span>}
      {pair.is_paradox && <span className={styles["mark"]}>one label is rare</span>}
    </>
  );
}
