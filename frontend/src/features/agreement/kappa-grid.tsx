/** Cohen's κ of every two raters as a grid, for three raters and more. */
import type { AgreementFigures } from "../../api/contract";
import { PairCell, PairGrid } from "../../components/pair-grid";
import { formatCoefficient, formatCount } from "../../lib/numbers";
import { pairsByEnds } from "../../lib/pairs";
import styles from "./agreement-page.module.css";

type Pair = AgreementFigures["pairs"][number];

const MOST = 24;

export function KappaGrid({ pairs }: { readonly pairs: readonly Pair[] }) {
  const raters = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].toSorted();
  if (raters.length < 3 || raters.length > MOST) return null;
  const between = pairsByEnds(pairs, ({ a, b }) => [a, b]);
  const members = raters.map((rater) => ({ key: rater, name: rater }));
  return (
    <PairGrid
      caption="Cohen’s κ of every two raters"
      rows={members}
      columns={members}
      cell={(row, column) => <Cell pair={between(row, column)} />}
    />
  );
}

function Cell({ pair }: { readonly pair: Pair | undefined }) {
  if (pair === undefined) return <td aria-label="no shared answers">·</td>;
  return (
    <PairCell depth={pair.cohen ?? 0} title={`${formatCount(pair.items)} answers. ${pair.words}`}>
      {pair.cohen === null ? "undefined" : formatCoefficient(pair.cohen)}
      {pair.is_paradox && <span className={styles["mark"]}>one label rare</span>}
    </PairCell>
  );
}
