/** Two systems in a sentence, and all pairs that one way of judging cannot tell apart. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ComparedPair, Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { whyWords } from "../../components/figure";
import { More } from "../../components/list";
import { QueryView } from "../../components/query-view";
import { Signatures } from "../../components/signature";
import { ComparedPairs } from "../../domain/compared-pairs";
import { openPairs, openPairsWords, type Pair, probabilityWords, turnedPairs } from "../../domain/pair-words";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./leaderboard-page.module.css";
import type { BoardView } from "./use-board";

interface PairComparisonProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
  readonly filter: QuestionFilter;
}

export function PairComparison({ board, view, filter }: PairComparisonProps) {
  const [first, second] = view.pair.map((name) => board.rows.find(({ system }) => system === name));
  const { main } = view;
  if (!first || !second || !main) return null;
  const others = view.columns.filter(({ key }) => key !== main.key);
  return (
    <div className={styles["pair"]} aria-live="polite">
      <p>
        <PairSentence first={first} second={second} column={main} filter={filter} />
      </p>
      {/* Each takes a while to compute, so only what is seen is asked for. */}
      <More isLate summary="Other ways of judging">
        <ul>
          {others.map((column) => (
            <li key={column.key}>
              <PairSentence first={first} second={second} column={column} filter={filter} />
            </li>
          ))}
        </ul>
        <p className="soft">
          Intervals are computed over the questions that both systems answered. The first p-value is
          Holm-corrected for all pairs of systems; the second is uncorrected. For scores that count correct
          answers, both come from McNemar’s exact test, which uses only questions that exactly one system
          answered correctly. For mean scores, there is only the first p-value, which comes from Student’s
          t-test.
        </p>
      </More>
      <PairSignature column={main} filter={filter} />
    </div>
  );
}

interface PairSignatureProps {
  readonly column: LeaderboardColumn;
  readonly filter: QuestionFilter;
}

/** How the sentence in sight came about. */
function PairSignature({ column, filter }: PairSignatureProps) {
  const { data } = usePairs(column, filter);
  return data && <Signatures judges={[{ name: column.name, signature: data.signature }]} />;
}

interface PairSentenceProps extends PairSignatureProps {
  readonly first: SystemRow;
  readonly second: SystemRow;
}

function PairSentence({ first, second, column, filter }: PairSentenceProps) {
  const query = usePairs(column, filter);
  if (query.isError) return `${column.name}: the systems could not be compared. ${query.error.message}`;
  if (!query.data) return `${column.name}: comparing ${first.label} and ${second.label}…`;
  const pair = query.data.pairs.find(
    (each) =>
      [each.first, each.second].includes(first.system) && [each.first, each.second].includes(second.system),
  );
  return pair
    ? pairWords(first, second, column, pair)
    : `${column.name}: at least one of the systems has no score.`;
}

/** "People: EMDR2 and FiD-KD are level: 0.0 points apart, interval from … to …, not distinguishable with …". */
export function pairWords(
  first: Pick<SystemRow, "system" | "label">,
  second: Pick<SystemRow, "system" | "label">,
  column: Pick<LeaderboardColumn, "name">,
  pair: ComparedPair,
): string {
  const { value } = pair.difference;
  if (value === null)
    return `${column.name}: ${whyWords(pair.difference) ?? "at least one of the systems has no score."}`;
  const sign = pair.first === first.system ? 1 : -1;
  const [ahead, behind] = sign * value >= 0 ? [first, second] : [second, first];
  const points = formatPoints(Math.abs(value));
  const base =
    Number(points) === 0
      ? `${column.name}: ${first.label} and ${second.label} have equal scores (0.0 points apart)`
      : `${column.name}: ${ahead.label} is ${points} points above ${behind.label}`;
  return `${base}${intervalWords(pair)}; ${verdictWords(pair)} on ${countOf(pair.rows, "question")}.${mcnemarWords(ahead, behind, pair)}`;
}

/** The interval of the difference in the direction of the sentence. */
function intervalWords({ difference: { value, low, high } }: ComparedPair): string {
  if (value === null || low === null || high === null) return "";
  const [from, to] = value >= 0 ? [low, high] : [-high, -low];
  return `, interval from ${formatDifference(from)} to ${formatDifference(to)} for this pair alone`;
}

/** The test beside the first one, for verdicts; means of scores have none. */
function mcnemarWords(
  ahead: Pick<SystemRow, "system" | "label">,
  behind: Pick<SystemRow, "system" | "label">,
  { first, first_only, second_only, mcnemar_p }: ComparedPair,
): string {
  if (first_only === null || second_only === null || mcnemar_p === null) return "";
  const [own, other] = ahead.system === first ? [first_only, second_only] : [second_only, first_only];
  return ` Only ${ahead.label} is correct on ${countOf(own, "question")}, and only ${behind.label} on ${formatCount(other)} (McNemar’s exact test, uncorrected: p ${probabilityWords(mcnemar_p, "= ")}).`;
}

function verdictWords({ is_distinguishable, p_value }: ComparedPair): string {
  const p = p_value === null ? "" : ` (p ${probabilityWords(p_value, "= ")}, corrected for all pairs)`;
  return `${is_distinguishable ? "significant difference" : "no significant difference"}${p}`;
}

interface OpenPairsProps {
  readonly board: Leaderboard;
  /** The way of judging one looks at. */
  readonly column: LeaderboardColumn | undefined;
  readonly filter: QuestionFilter;
}

/** How sure the order is, beside the picture of it. */
export function OrderWords({ board, column, filter }: OpenPairsProps) {
  if (board.rows.length < 2 || !column) return null;
  return <OpenSentence column={column} filter={filter} />;
}

export function OpenPairs({ board, column, filter }: OpenPairsProps) {
  if (board.rows.length < 2 || !column) return null;
  return (
    <>
      {PAIRS.map(({ summary, ...those }) => (
        <More key={summary} summary={summary} isLate>
          <PairsTable board={board} column={column} filter={filter} {...those} />
        </More>
      ))}
    </>
  );
}

interface Those {
  readonly title: string;
  readonly thoseOf: (pairs: readonly ComparedPair[]) => readonly Pair[];
}

const PAIRS: readonly (Those & { readonly summary: string })[] = [
  {
    summary: "View pairs with a significant difference",
    title: "Pairs with a significant difference",
    thoseOf: (pairs) => turnedPairs(pairs).filter(({ of }) => of.is_distinguishable),
  },
  {
    summary: "View pairs without a significant difference",
    title: "Pairs without a significant difference",
    thoseOf: openPairs,
  },
];

/** How many pairs a reader must not rank by this way of judging. */
function OpenSentence({ column, filter }: PairSignatureProps) {
  const { data, isError } = usePairs(column, filter);
  if (isError) return null;
  return <p>{data ? openPairsWords(data.pairs, column.name) : "Comparing all pairs of systems…"}</p>;
}

interface PairsTableProps extends OpenPairsProps, Those {
  readonly column: LeaderboardColumn;
}

function PairsTable({ board, column, filter, title, thoseOf }: PairsTableProps) {
  const query = usePairs(column, filter);
  const labels = new Map(board.rows.map(({ system, label }) => [system, label]));
  return (
    <QueryView query={query}>
      {({ pairs, signature }) => (
        <>
          <p className="soft">Differences are in points, over the questions that both systems answered.</p>
          <ComparedPairs
            caption={`${title} by ${column.name}`}
            things="Systems"
            unit="question"
            all={pairs}
            shown={thoseOf(pairs)}
            way={column.key}
            nameOf={(system) => labels.get(system) ?? system}
            fileNameOf={(system) => system}
            file={{ name: "pairs-of-systems", signature }}
          />
        </>
      )}
    </QueryView>
  );
}

function usePairs({ key }: LeaderboardColumn, filter: QuestionFilter) {
  const { slug } = useProject();
  return useQuery(read("/api/projects/{slug}/leaderboard/pairs", { slug }, { ...filter, column: key }));
}
