/** Agreement of every two as a square: κ above the diagonal, percent below it. */
import type { JudgePair, JudgePairs } from "../../../api/contract";
import { formatCoefficient, formatCount, formatPercent } from "../../../lib/numbers";
import styles from "./board.module.css";

const MOST = 24;

export function JudgeGrid({ found }: { readonly found: JudgePairs }) {
  const { judges, pairs } = found;
  if (judges.length < 3 || judges.length > MOST) return null;
  const between = (one: string, other: string) =>
    pairs.find(({ first, second }) => [first, second].includes(one) && [first, second].includes(other));
  const caption = "Agreement of every two: Cohen’s κ above the diagonal, percent below it";
  return (
    <div className={styles["scroll"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles["grid"]}>
        <caption className={styles["soft"]}>{caption}.</caption>
        <thead>
          <tr>
            <td />
            {judges.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {judges.map((row, at) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              {judges.map((column, place) =>
                at === place ? (
                  <td key={column.id}>
                    <span className="visually-hidden">the same</span>
                  </td>
                ) : (
                  <Cell key={column.id} pair={between(row.id, column.id)} isKappa={place > at} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ pair, isKappa }: { readonly pair: JudgePair | undefined; readonly isKappa: boolean }) {
  if (pair === undefined) return <td title="No answer that both judged">–</td>;
  const value = isKappa ? pair.cohen_kappa : pair.agreement;
  const depth = Math.round(40 * Math.max(0, Math.min(1, isKappa ? (value ?? 0) : 2 * (value ?? 0) - 1)));
  return (
    <td
      title={`${formatCount(pair.answers)} answers. ${(isKappa && pair.words["cohen_kappa"]) || ""}`}
      style={{ backgroundColor: `color-mix(in srgb, var(--chart-1) ${depth}%, transparent)` }}
    >
      {isKappa ? formatCoefficient(value) : formatPercent(value)}
    </td>
  );
}
