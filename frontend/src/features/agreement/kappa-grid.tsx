/** Cohen's κ of every two raters as a grid, for three raters and more. */
import type { AgreementWay } from "../../api/agreement";
import type { AgreementFigures } from "../../api/schema";
import { useProject } from "../../api/project";
import { PairCell, PairGrid, pairsByEnds } from "../../components/pair-grid";
import { countOf, formatCoefficient } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { DisputedLink } from "./disputed-link";
import { thingOf } from "./words";

type Pair = AgreementFigures["pairs"][number];

const MOST = 24;

interface KappaGridProps {
  readonly pairs: readonly Pair[];
  readonly way?: AgreementWay;
}

export function KappaGrid({ pairs, way }: KappaGridProps) {
  const raters = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].toSorted();
  if (raters.length < 3 || raters.length > MOST) return null;
  const between = pairsByEnds(pairs, ({ a, b }) => [a, b]);
  const members = raters.map((rater) => ({ key: rater, name: rater }));
  const thing = thingOf(way);
  const most = Math.max(0, ...pairs.map(({ items }) => items));
  return (
    <PairGrid
      title="Cohen’s κ of every two raters"
      note={`Of up to ${countOf(most, thing)} that both judged.`}
      of="Rater"
      rows={members}
      columns={members}
      squareOf={(row, column) => {
        const pair = row === column ? undefined : between(row, column);
        return pair?.cohen == null ? null : { depth: pair.cohen, text: formatCoefficient(pair.cohen) };
      }}
      cell={(row, column) =>
        row === column ? <td /> : <Cell pair={between(row, column)} {...(way && { way })} />
      }
    />
  );
}

/** Why there is no figure, or what it lies between. */
function boundsWords({ interval, words }: Pair): string {
  if (words["cohen"]) return words["cohen"];
  const [low, high] = interval["cohen"] ?? [];
  if (low === undefined || high === undefined) return "";
  return `95 % interval ${formatCoefficient(low)} to ${formatCoefficient(high)}.`;
}

interface CellProps {
  readonly pair: Pair | undefined;
  readonly way?: AgreementWay;
}

function Cell({ pair, way }: CellProps) {
  const { role } = useProject();
  const thing = thingOf(way);
  if (pair === undefined) return <td aria-label={`no shared ${thing}s`}>·</td>;
  const kappa = pair.cohen === null ? "undefined" : formatCoefficient(pair.cohen);
  const bounds = boundsWords(pair);
  return (
    <PairCell depth={pair.cohen ?? 0} title={`${countOf(pair.items, thing)}. ${bounds}`}>
      {way && role === "lead" ? (
        <DisputedLink way={way} count={pair.disagreements} pair={pair}>
          {kappa}
        </DisputedLink>
      ) : (
        kappa
      )}
      {bounds && <span className="visually-hidden">, {bounds}</span>}
      {pair.is_paradox && <span className={styles["mark"]}>one label rare</span>}
    </PairCell>
  );
}
