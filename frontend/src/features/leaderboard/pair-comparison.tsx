/** Two systems in a sentence, and whether they can be told apart. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { ComparedPair, Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { whyWords } from "../../components/figure";
import { Signatures } from "../../components/signature";
import { probabilityWords } from "../../domain/pair-words";
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
  const [isOpen, setIsOpen] = useState(false);
  const [first, second] = view.pair.map((name) => board.rows.find(({ system }) => system === name));
  const { main } = view;
  if (!first || !second || !main) return null;
  // Each takes a while to compute, so only what is seen is asked for.
  const others = isOpen ? view.columns.filter(({ key }) => key !== main.key) : [];
  return (
    <div className={styles["pair"]} aria-live="polite">
      <p>
        <PairSentence first={first} second={second} column={main} filter={filter} />
      </p>
      <details className={styles["more"]} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>By every other way of judging</summary>
        <ul>
          {others.map((column) => (
            <li key={column.key}>
              <PairSentence first={first} second={second} column={column} filter={filter} />
            </li>
          ))}
        </ul>
        <PairSignature column={main} filter={filter} />
        <p className={styles["soft"]}>
          Intervals are over the questions both answered. The first test is McNemar’s exact one where answers
          are right or wrong, which looks only at the questions that one of the two alone has right, and
          Student’s for means of scores; it is corrected for all pairs of systems (Holm). The p beside
          McNemar’s name is not corrected.
        </p>
      </details>
    </div>
  );
}

interface PairSignatureProps {
  readonly column: LeaderboardColumn;
  readonly filter: QuestionFilter;
}

/** How the sentence in sight came about. */
function PairSignature({ column, filter }: PairSignatureProps) {
  const { slug } = useProject();
  const { data } = useQuery(
    read("/api/projects/{slug}/leaderboard/pairs", { slug }, { ...filter, column: column.key }),
  );
  return data && <Signatures judges={[{ name: column.name, signature: data.signature }]} />;
}

interface PairSentenceProps extends PairSignatureProps {
  readonly first: SystemRow;
  readonly second: SystemRow;
}

function PairSentence({ first, second, column, filter }: PairSentenceProps) {
  const project = useProject();
  const query = useQuery(
    read("/api/projects/{slug}/leaderboard/pairs", { slug: project.slug }, { ...filter, column: column.key }),
  );
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
