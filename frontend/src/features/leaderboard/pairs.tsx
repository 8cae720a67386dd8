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
import { openPairs, openPairsWords, probabilityWords } from "../../domain/pair-words";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./leaderboard-page.module.css";
import type { BoardView } from "./use-board";
import { unsureOrderWords } from "./words";

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
      <More isLate summary="By every other way of judging">
        <ul>
          {others.map((column) => (
            <li key={column.key}>
              <PairSentence first={first} second={second} column={column} filter={filter} />
            </li>
          ))}
        </ul>
        <p className="soft">
          Intervals are over the questions both answered. The first test is McNemar’s exact one where answers
          are right or wrong, which looks only at the questions that one of the two alone has right, and
          Student’s for means of scores; it is corrected for all pairs of systems (Holm). The p beside
          McNemar’s name is not corrected.
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
  if (query.isError) return `${column.name}: could not be compared, ${query.error.message}`;
  if (!query.data) return `${column.name}: comparing ${first.label} and ${second.label} …`;
  const pair = query.data.pairs.find(
    (each) =>
      [each.first, each.second].includes(first.system) && [each.first, each.second].includes(second.system),
  );
  return pair ? pairWords(first, second, column, pair) : `${column.name}: not both scored.`;
}

/** "People: EMDR2 and FiD-KD are level: 0.0 points apart, interval from … to …, not distinguishable with …". */
export function pairWords(
  first: Pick<SystemRow, "system" | "label">,
  second: Pick<SystemRow, "system" | "label">,
  column: Pick<LeaderboardColumn, "name">,
  pair: ComparedPair,
): string {
  const { value } = pair.difference;
  if (value === null) return `${column.name}: ${whyWords(pair.difference) ?? "not both scored."}`;
  const sign = pair.first === first.system ? 1 : -1;
  const [ahead, behind] = sign * value >= 0 ? [first, second] : [second, first];
  const points = formatPoints(Math.abs(value));
  const base =
    Number(points) === 0
      ? `${column.name}: ${first.label} and ${second.label} are level: 0.0 points apart`
      : `${column.name}: ${ahead.label} is ${points} points above ${behind.label}`;
  return `${base}${intervalWords(pair)}; ${verdictWords(pair)} with ${formatCount(pair.rows)} questions.${mcnemarWords(ahead, behind, pair)}`;
}

/** The interval of the difference in the direction of the sentence. */
function intervalWords({ difference: { value, low, high } }: ComparedPair): string {
  if (value === null || low === null || high === null) return "";
  const [from, to] = value >= 0 ? [low, high] : [-high, -low];
  return `, interval from ${formatDifference(from)} to ${formatDifference(to)}`;
}

/** The test beside the first one, for verdicts; means of scores have none. */
function mcnemarWords(
  ahead: Pick<SystemRow, "system" | "label">,
  behind: Pick<SystemRow, "system" | "label">,
  { first, first_only, second_only, mcnemar_p }: ComparedPair,
): string {
  if (first_only === null || second_only === null || mcnemar_p === null) return "";
  const [own, other] = ahead.system === first ? [first_only, second_only] : [second_only, first_only];
  return ` Right only by ${ahead.label}: ${countOf(own, "question")}, only by ${behind.label}: ${formatCount(other)}; McNemar’s exact test, uncorrected, p ${probabilityWords(mcnemar_p, "= ")}.`;
}

function verdictWords({ is_distinguishable, p_value }: ComparedPair): string {
  const p = p_value === null ? "" : ` (p ${probabilityWords(p_value, "= ")})`;
  return `${is_distinguishable ? "distinguishable" : "not distinguishable"}${p}`;
}

interface OpenPairsProps {
  readonly board: Leaderboard;
  /** The way of judging one looks at. */
  readonly column: LeaderboardColumn | undefined;
  readonly filter: QuestionFilter;
}

export function OpenPairs({ board, column, filter }: OpenPairsProps) {
  if (board.rows.length < 2 || !column) return null;
  const unsure = unsureOrderWords(board, column);
  return (
    <>
      {unsure && <p>{unsure}</p>}
      <More summary="Pairs that cannot be told apart" isLate>
        <PairsTable board={board} column={column} filter={filter} />
      </More>
    </>
  );
}

function PairsTable({ board, column, filter }: OpenPairsProps & { readonly column: LeaderboardColumn }) {
  const query = usePairs(column, filter);
  const labels = new Map(board.rows.map(({ system, label }) => [system, label]));
  return (
    <QueryView query={query}>
      {({ pairs, signature }) => (
        <>
          <p className="soft">{openPairsWords(pairs, column.name)}</p>
          <ComparedPairs
            caption={`Pairs that ${column.name} cannot tell apart`}
            things="Systems"
            unit="question"
            all={pairs}
            shown={openPairs(pairs)}
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
