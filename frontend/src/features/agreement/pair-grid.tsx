/** Cohen's κ of every two raters as a grid, for three raters and more. */
import type { AgreementFigures } from "../../api/contract";
import { formatCoefficient, formatCount } from "../../lib/numbers";
import styles from "./agreement-page.module.css";

type Pair = AgreementFigures["pairs"][number];

const MOST = 24;

export function PairGrid({ pairs }: { readonly pairs: readonly Pair[] }) {
  const raters = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].toSorted();
  if (raters.length < 3 || raters.length > MOST) return null;
  const found = new Map(
    pairs.flatMap((pair) => [
      [`${pair.a} ${pair.b}`, pair],
      [`${pair.b} ${pair.a}`, pair],
    ]),
  );
  return (
    <div className={styles["scroll"]} role="region" aria-label="Cohen’s κ of every two raters" tabIndex={0}>
      <table className={styles["grid"]}>
        <caption className="visually-hidden">Cohen’s κ of every two raters</caption>
        <thead>
          <tr>
            <td />
            {raters.map((rater) => (
              <th key={rater} scope="col">
                {rater}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {raters.map((row) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {raters.map((column) => (
                <Cell key={column} pair={found.get(`${row} ${column}`)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ pair }: { readonly pair: Pair | undefined }) {
  if (pair === undefined) return <td aria-label="no shared answers">·</td>;
  const strength = Math.max(0, Math.min(1, pair.cohen ?? 0));
  return (
    <td
      title={`${formatCount(pair.items)} answers. ${pair.words}`}
      style={{
        backgroundColor: `color-mix(in srgb, var(--chart-1) ${Math.round(45 * strength)}%, transparent)`,
      }}
    >
      {pair.cohen === null ? "undefined" : formatCoefficient(pair.cohen)}
      {pair.is_paradox && <span className={styles["mark"]}>one label rare</span>}
    </td>
  );
}
