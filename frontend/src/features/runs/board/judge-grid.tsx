/** Agreement of every two as a square: κ above the diagonal, percent below it. */
import type { JudgePair, JudgePairs } from "../../../api/contract";
import { PairCell, PairGrid } from "../../../components/pair-grid";
import { formatCoefficient, formatCount, formatPercent } from "../../../lib/numbers";
import { pairsByEnds } from "../../../lib/pairs";

const MOST = 24;

export function JudgeGrid({ found }: { readonly found: JudgePairs }) {
  const { judges, pairs } = found;
  if (judges.length < 3 || judges.length > MOST) return null;
  const between = pairsByEnds(pairs, ({ first, second }) => [first, second]);
  const members = judges.map(({ id, name }) => ({ key: id, name }));
  const place = new Map(members.map(({ key }, at) => [key, at]));
  return (
    <PairGrid
      isCaptionShown
      caption="Agreement of every two: Cohen’s κ above the diagonal, percent below it"
      rows={members}
      columns={members}
      cell={(row, column) =>
        row === column ? (
          <Itself />
        ) : (
          <Cell pair={between(row, column)} isKappa={(place.get(column) ?? 0) > (place.get(row) ?? 0)} />
        )
      }
    />
  );
}

function Itself() {
  return (
    <td>
      <span className="visually-hidden">the same</span>
    </td>
  );
}

function Cell({ pair, isKappa }: { readonly pair: JudgePair | undefined; readonly isKappa: boolean }) {
  if (pair === undefined) return <td title="No answer that both judged">–</td>;
  const value = isKappa ? pair.cohen_kappa : pair.agreement;
  return (
    <PairCell
      // As κ is none, half of all answers alike is none.
      depth={isKappa ? (value ?? 0) : 2 * (value ?? 0) - 1}
      title={`${formatCount(pair.answers)} answers. ${(isKappa && pair.words["cohen_kappa"]) || ""}`}
    >
      {isKappa ? formatCoefficient(value) : formatPercent(value)}
    </PairCell>
  );
}
