/** Agreement of every two as a square: κ above the diagonal, percent below it. */
import type { JudgePair, JudgePairs } from "../../../api/schema";
import { figureIn, whyWords } from "../../../components/figure";
import { PairCell, PairGrid, pairsByEnds } from "../../../components/pair-grid";
import { countOf, formatCoefficient, formatCount, formatPercent } from "../../../lib/numbers";

const MOST = 24;

export function JudgeGrid({ found }: { readonly found: JudgePairs }) {
  const { judges, pairs } = found;
  if (judges.length < 3 || judges.length > MOST) return null;
  const between = pairsByEnds(pairs, ({ first, second }) => [first, second]);
  const members = judges.map(({ id, name }) => ({ key: id, name }));
  const place = new Map(members.map(({ key }, at) => [key, at]));
  const isKappa = (row: string, column: string) => (place.get(column) ?? 0) > (place.get(row) ?? 0);
  const most = Math.max(0, ...pairs.map(({ answers }) => answers));
  return (
    <PairGrid
      title="Agreement of every two"
      note={`Cohen’s κ above the diagonal, percent below it, of up to ${countOf(most, "answer")} that both judged.`}
      of="Judge"
      rows={members}
      columns={members}
      squareOf={(row, column) => {
        const pair = row === column ? undefined : between(row, column);
        return pair ? squareOf(pair, isKappa(row, column)) : null;
      }}
      cell={(row, column) =>
        row === column ? <Itself /> : <Cell pair={between(row, column)} isKappa={isKappa(row, column)} />
      }
    />
  );
}

/** As κ is none, half of all answers alike is none. */
function squareOf({ figures }: JudgePair, isKappa: boolean) {
  const { value } = figureIn(figures, isKappa ? "cohen_kappa" : "agreement");
  return isKappa
    ? { depth: value ?? 0, text: formatCoefficient(value) }
    : { depth: 2 * (value ?? 0) - 1, text: formatPercent(value) };
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
  const { depth, text } = squareOf(pair, isKappa);
  const kappa = figureIn(pair.figures, "cohen_kappa");
  return (
    <PairCell
      depth={depth}
      title={`${formatCount(pair.answers)} answers. ${(isKappa && kappa.value === null && whyWords(kappa)) || ""}`}
    >
      {text}
    </PairCell>
  );
}
