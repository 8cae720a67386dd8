/** The board in sentences. */
import type { Amendments, Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { intervalWords, whyWords } from "../../components/figure";
import { listOf } from "../../lib/lists";
import { CORRECTED, isPartlyJudged, judgedOf, partlyJudgedWords } from "../../domain/judged";
import {
  countOf,
  FEW,
  formatCoefficient,
  formatCount,
  formatDifference,
  formatPercent,
  formatPoints,
} from "../../lib/numbers";
import { sizeWords } from "./about";
import {
  baselineColumn,
  decidedShare,
  difference,
  humanColumn,
  isOfFew,
  isPeoples,
  isUndecided,
  sortedRows,
} from "./standings";

/** The page's answer: who leads by people, and what that changed. */
export function headline(board: Leaderboard): string {
  const questions = countOf(board.n_questions, "question");
  const human = humanColumn(board.columns, board.rows);
  const baseline = baselineColumn(board.columns);
  // Who leads by a judge alone is no answer to which system is best.
  if (baseline && isUndecided(board)) return `${NOT_KNOWN} So far, none are.`;
  const best = human && bestRow(board, human);
  if (!human || !best?.scores[human.key])
    return `${countOf(board.rows.length, "system")} on ${questions}.${settledInBrief(board)}`;
  // Without ranks nobody leads, and on so few nobody is said to.
  if (board.is_estimated && human.key === CORRECTED)
    return correctedWords(board, human, leadersWords(board, human), `According to “${human.name},”`);
  if (!board.all_decided) return `${undecidedWords(board)}${settledInBrief(board)}`;
  if (answeredOthers(board))
    return `${countOf(board.rows.length, "system")} on ${questions}. There is no leader because the systems did not answer the same questions.`;
  if (board.n_questions < FEW)
    return `${questions} decided${board.programs_share > 0 ? "" : " by people"}. At least ${formatCount(FEW)} are needed to say which system leads.${settledInBrief(board)}`;
  const amended = board.columns.find((column) => column.kind === "human" && !isPeoples(column, board.rows));
  if (amended) return barelyDecidedWords(board, amended);
  const { value, ...ends } = best.scores[human.key] ?? { value: null, low: null, high: null };
  const interval = intervalWords(ends);
  const score = formatPercent(value);
  if (board.programs_share > 0)
    return `${correctedWords(board, human, leadersWords(board, human))}${settledInBrief(board)}`;
  const leaders = `${leadersWords(board, human)}: ${score} of ${questions} correct${interval && ` (${interval})`}.${higherWords(board, human)}`;
  return isPartlyJudged(board)
    ? `${partlyJudgedWords(board)} According to these decisions, ${leaders}`
    : `According to people’s decisions, ${leaders}`;
}

/** What it takes, as much as that nobody is named. */
const NOT_KNOWN = "Too early to say. The best system appears here when all answers are decided.";

/** A system that answered fewer questions has no rank, however high its score. */
function bestRow(board: Leaderboard, human: LeaderboardColumn): SystemRow | undefined {
  return board.rows.find((row) => row.scores[human.key]?.rank.value === 1) ?? board.rows[0];
}

/** Few audited answers leave a wide interval, so that nobody is said to lead without it. */
function correctedWords(
  board: Leaderboard,
  human: LeaderboardColumn,
  leaders: string,
  how = "After correction by the audit,",
): string {
  const score = bestRow(board, human)?.scores[human.key];
  const interval = score ? intervalWords(score) : "";
  return `${how} ${leaders}: ${formatPercent(score?.value)} of ${countOf(board.n_questions, "question")} correct${interval ? ` (${interval})` : ""}.`;
}

/** How much programs settled, and of how many systems scores are final; what that means, `promiseWords` says. */
function settledInBrief(board: Leaderboard): string {
  if (board.programs_share === 0) return "";
  const { final, others } = finalSystems(board);
  const share = ` Automatic judges helped settle ${formatPercent(board.programs_share)} of the systems’ answers.`;
  if (final.length === 0)
    return board.all_decided
      ? `${share} ${unknownWords(others, { isOpen: false, hasFinal: false })}`
      : `${share} No score is final yet.`;
  if (others.length === 0) return share;
  return final.length > MOST_FINAL
    ? `${share} ${formatCount(final.length)} of ${countOf(board.rows.length, "system")} have final scores.`
    : `${share} Only the ${onlyFinal(final)} final.`;
}

const MOST_FINAL = 2;

function onlyFinal(final: readonly string[]): string {
  const [scores, are] = final.length === 1 ? ["score", "is"] : ["scores", "are"];
  return `${scores} of ${listOf(final)} ${are}`;
}

/** What the headline leaves out: what is promised of scores where judges settled answers; empty elsewhere. */
export function promiseWords(board: Leaderboard): string {
  if (board.programs_share === 0) return "";
  const { final, others } = finalSystems(board);
  const isOpen = !board.all_decided;
  const unknown = unknownWords(others, { isOpen, hasFinal: final.length > 0 });
  return [
    final.length > MOST_FINAL && others.length > 0 && `Only the ${onlyFinal(final)} final.`,
    (final.length > 0 ? others.length > 0 : isOpen) && unknown,
    final.length > 0 && PROMISE,
    "In the share of answers that automatic judges helped settle, an answer that several systems gave counts once for each system.",
  ]
    .filter(Boolean)
    .join(" ");
}

const PROMISE =
  "From the audit, Assay estimates the automatic judges’ average error for each system and subtracts it. Only the intervals for corrected scores include the uncertainty of this estimate; nothing is guaranteed for other columns. Scores say what these annotators would decide, not what is true.";

/** How much programs settled, and what that means where no audit corrects it; empty where people judged. */
export function programsWords(board: Leaderboard): string {
  return settledWords(board.programs_share, {
    ...finalSystems(board),
    isOpen: !board.all_decided,
  });
}

/** Whether an audit corrects the scores of some system. */
export function isCorrected({ columns, rows }: Pick<Leaderboard, "columns" | "rows">): boolean {
  return columns.some(({ key }) => key === CORRECTED && rows.some(({ scores }) => scores[key] != null));
}

/** Whose scores the audit corrects, and whose it does not yet. */
function finalSystems({ rows }: Pick<Leaderboard, "rows">): Pick<Settled, "final" | "others"> {
  const labels = (isFinal: boolean) =>
    rows.filter(({ scores }) => (scores[CORRECTED] != null) === isFinal).map(({ label }) => label);
  return { final: labels(true), others: labels(false) };
}

interface Settled {
  /** The systems whose scores the audit corrects. */
  readonly final: readonly string[];
  /** Those that are listed besides. */
  readonly others: readonly string[];
  /** People still have answers to decide. */
  readonly isOpen: boolean;
}

/** The same of any table of systems: what is promised of its scores where judges settled answers. */
export function settledWords(programsShare: number, { final, others, isOpen }: Settled): string {
  if (programsShare === 0) return "";
  const share = ` Automatic judges helped settle ${formatPercent(programsShare)} of the systems’ answers (an answer that several systems gave counts once for each system).`;
  const unknown = unknownWords(others, { isOpen, hasFinal: final.length > 0 });
  if (final.length === 0) return `${share} ${unknown}`;
  if (others.length === 0) return `${share} ${PROMISE}`;
  return `${share} Only the ${onlyFinal(final)} final. ${unknown} ${PROMISE}`;
}

/** Why nothing is promised of systems that no audit corrects. */
function unknownWords(
  systems: readonly string[],
  { isOpen, hasFinal }: { readonly isOpen: boolean; readonly hasFinal: boolean },
): string {
  const [no, from] = hasFinal ? ["No other score", ` from ${listOf(systems)}`] : ["No score", ""];
  return isOpen
    ? `${no} has a guaranteed interval yet: people have not decided all answers${from}, and those decided first are not a random sample.`
    : `${no} has a guaranteed interval, because too few of the settled answers${from} were audited to estimate the automatic judges’ error rate.`;
}

/** From exact match on, of the systems whose scores an audit corrects. */
function correctedGains({ columns, rows }: Leaderboard): { label: string; gain: number }[] {
  const from = baselineColumn(columns);
  return rows.flatMap((row) => {
    const gain = from && difference(row, from.key, CORRECTED);
    return gain === null ? [] : [{ label: row.label, gain }];
  });
}

/** Of the sample beside all questions; who leads is said of one of the two alone. */
export function besideWords(board: Leaderboard): string {
  const questions = `${countOf(board.n_questions, "question")} whose answers people judge, compared with all questions.`;
  const partly = board.programs_share > 0 ? settledInBrief(board).trim() : partlyJudgedWords(board);
  return `${countOf(board.rows.length, "system")} on ${questions}${partly && ` ${partly}`}`;
}

/** Nobody is asked of more answers, and yet people have judged too few of them to rank systems. */
function barelyDecidedWords(board: Leaderboard, amended: LeaderboardColumn): string {
  const share = formatPercent(decidedShare(board.rows), 0);
  const on = isPartlyJudged(board) ? `, on ${judgedOf(board)}` : "";
  return `People have decided ${share} of the systems’ answers${on}. The first column covers only these answers. In “${amended.name},” exact match judges undecided answers.`;
}

const MOST_LEADERS = 4;

/** Who leads, or who leads together where scores are equal; nobody leads whom the test cannot tell from others. */
function leadersWords(board: Leaderboard, human: LeaderboardColumn): string {
  const first = board.rows.filter((row) => row.scores[human.key]?.rank.value === 1);
  const leaders = first.map(({ label }) => label);
  if (leaders.length < 2) {
    const last = leaders[0] ?? "";
    const worst = first[0]?.scores[human.key]?.rank.high ?? undefined;
    if (worst === 1) return `${last} leads`;
    if (worst === undefined) return `${last} has the highest score`;
    return `${last} has the highest score but is not significantly better than ${countOf(worst - 1, "other")}`;
  }
  if (leaders.length > MOST_LEADERS) return `${formatCount(leaders.length)} systems are tied`;
  return `${listOf(leaders)} are tied`;
}

/** The unranked system whose score is above the leader's, and why it does not lead. */
function higherWords({ rows, n_questions }: Leaderboard, human: LeaderboardColumn): string {
  const scoreOf = (row: SystemRow) => row.scores[human.key]?.value ?? -1;
  const [ranked, unranked] = [true, false].map((isRanked) =>
    rows.filter((row) => (row.scores[human.key]?.rank.value != null) === isRanked),
  );
  const best = unranked?.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0];
  if (!best || !ranked?.length || scoreOf(best) <= Math.max(...ranked.map(scoreOf))) return "";
  const questions = `${formatCount(best.n)} of ${countOf(n_questions, "question")}`;
  return ` ${best.label} has a higher score (${formatPercent(scoreOf(best))}) but answered only ${questions}. Ranks compare systems on the same questions.`;
}

/** What stands under the name of people while they have not decided all: partly exact match. Empty for other columns. */
export function matchedWords(column: LeaderboardColumn, { rows }: Pick<Leaderboard, "rows">): string {
  if (column.kind !== "human" || isPeoples(column, rows)) return "";
  return "partly by exact match";
}

/** Why a system has no rank, to stand in its row; empty where it has one. */
export function noRankWords(row: SystemRow, { rows, n_questions }: Leaderboard): string {
  if (row.n === Math.max(...rows.map(({ n }) => n))) return "";
  return `no rank: ${formatCount(row.n)} of ${countOf(n_questions, "question")}`;
}

/** Whose score people’s decisions raise most; empty where they raise none, or not all are made. */
export function gainWords(
  board: Leaderboard,
  from: LeaderboardColumn | null,
  to: LeaderboardColumn | null,
): string {
  const isSure = board.all_decided && board.programs_share === 0 && board.n_questions >= FEW;
  if (!from || !to || !isSure) return "";
  const gains = board.rows
    .filter((row) => !isOfFew(row, to))
    // From exact match on, long answers gain by their length, whatever people say of them.
    .filter((row) => !row.has_long_answers)
    .map((row) => ({ label: row.label, gain: difference(row, from.key, to.key) }))
    .filter((entry): entry is { label: string; gain: number } => entry.gain !== null)
    .sort((a, b) => b.gain - a.gain);
  const [largest] = gains;
  if (!largest || largest.gain <= 0) return "";
  const whom =
    gains.length < board.rows.length
      ? "Among systems with short answers, people’s decisions"
      : "People’s decisions";
  return `${whom} raise ${largest.label}’s score the most: by ${formatPoints(largest.gain)} points over ${from.name.toLowerCase()}.`;
}

/** Whether nobody has a rank by any way of judging, though all is judged, since questions differ. */
function answeredOthers({ rows, n_questions }: Pick<Leaderboard, "rows" | "n_questions">): boolean {
  const hasRank = rows.some(({ scores }) => Object.values(scores).some((score) => score?.rank.value != null));
  return !hasRank && rows.length > 1 && rows.every(({ n }) => n < n_questions);
}

/** Which scores say too little for their systems to stand among the others. */
export function fewAnswersWords({ fewest }: Pick<LeaderboardColumn, "fewest">): string {
  return `too few judged so far (fewer than ${countOf(fewest, "answer")})`;
}

/** Why systems stand last in spite of their scores; empty where none does. */
export function fewLastWords(splitting: LeaderboardColumn | null): string {
  if (!splitting) return "";
  return `Systems with fewer than ${countOf(splitting.fewest, "judged answer")} come last, whatever their score. To order all systems by score, select a heading.`;
}

/** Why nobody has a rank; who has none where others have one says so in their row. */
export function unrankedWords(board: Pick<Leaderboard, "rows" | "n_questions">): string {
  return answeredOthers(board)
    ? "There are no ranks because systems answered different questions. Choose a data set, or compare two systems."
    : "";
}

/** Which systems are not among those on all questions, and why. */
export function onlyJudgedWords(labels: readonly string[]): string {
  const [they, have] = labels.length === 1 ? ["this system", "has"] : ["these systems", "have"];
  return `Not listed: ${labels.join(", ")}. Here, scores cover all questions, but ${they} ${have} answers only to questions whose answers people judge.`;
}

/** A share of answers that are decided; one that rounds to all although some are not says more digits. */
export function decidedWords(share: number): string {
  const words = formatPercent(share, 0);
  if (share >= 1 || words !== formatPercent(1, 0)) return words;
  const finer = formatPercent(share);
  return finer === formatPercent(1) ? `nearly ${words}` : finer;
}

/** What the column of decided answers says. */
export const RANGE =
  "The share of the system’s answers that are decided. The range below it runs from the score if all undecided answers are incorrect to the score if all are correct.";

/** How much is decided, while there are no ranks by people yet. */
export function undecidedWords(board: Leaderboard): string {
  const shares = board.rows.map((row) => row.decided_share);
  const low = Math.min(...shares);
  const high = Math.max(...shares);
  const share =
    decidedWords(low) === decidedWords(high)
      ? decidedWords(low)
      : `${decidedWords(low)} to ${decidedWords(high)}`;
  // The questions that people judged are not those on which judges settled answers, too.
  const on = isPartlyJudged(board) && board.programs_share === 0 ? `, on ${judgedOf(board)}` : "";
  return `${NOT_KNOWN} So far, ${share} of each system’s answers are decided${on}.`;
}

/** Why no slope is drawn, of the ways of judging that a slope would go through alone: F1 has another unit. */
export function levelWords(
  { columns, rows }: Leaderboard,
  drawn: readonly LeaderboardColumn[],
  measure: "rank" | "score",
): string {
  const ways = drawn.map(({ name }) => name);
  const who = rows.length === 2 ? "both systems" : `all ${countOf(rows.length, "system")}`;
  const apart = columns.some(({ unit }) => unit === "f1")
    ? " Mean F1 is not shown because it has a different unit."
    : "";
  return `There is no chart because ${who} have the same ${measure} by ${listOf(ways)}.${apart}`;
}

/** The agreement of a column's ranking with that of people, or why there is none. */
export function tauWords(column: LeaderboardColumn): string {
  const { value } = column.kendall_tau_b;
  return value === null ? (whyWords(column.kendall_tau_b) ?? "–") : formatCoefficient(value);
}

interface RankView {
  readonly columns: readonly LeaderboardColumn[];
  readonly baseline: LeaderboardColumn | null;
}

/** What a triangle behind a rank says. */
export function rankLegend({ rows }: Pick<Leaderboard, "rows">, { columns, baseline }: RankView): string {
  const isRanked = rows.some(({ scores }) => columns.some(({ key }) => scores[key]?.rank.value != null));
  if (!isRanked) return "";
  const isMoved = baseline !== null && columns.some(({ key }) => key !== baseline.key);
  return isMoved
    ? `“1 ▲3” means rank 1, three ranks higher than by ${baseline.name.toLowerCase()}. ▼ means a lower rank.`
    : "";
}

/** What the last line of the table says. */
export const TAU_SCALE = "1: same order, 0: no relation, −1: reverse order";

/** The answer of the track in which systems are ranked by size. */
export function smallestWords(board: Leaderboard): string {
  const [smallest] = sortedRows(board.rows, { key: "about:size_bytes", direction: "ascending" });
  const size = smallest?.description["size_bytes"];
  if (!smallest || typeof size !== "number") return headline(board);
  const which =
    board.rows.length === 1 ? "only system" : `smallest of the ${countOf(board.rows.length, "system")}`;
  return `${smallest.label} is the ${which} that reached the minimum score of this track: ${sizeWords(size)}.`;
}

/** How many answers of systems wait, as a sentence that still lacks its period. */
export function waitingWords(pending: number): string {
  return `${countOf(pending, "system answer")} ${pending === 1 ? "is" : "are"} undecided`;
}

/** How far amendment moved systems; audited: the board whose scores an audit corrects, which then are the gains. */
export function turnedWords({ systems, pending }: Amendments, audited?: Leaderboard): string {
  const counted = systems.map(({ label, gain }) => ({ label, gain: gain.value ?? 0 }));
  const gains = (audited ? correctedGains(audited) : counted).toSorted((a, b) => b.gain - a.gain);
  const [most, least] = [gains[0], gains.at(-1)];
  if (!most || !least) return "";
  const open = pending > 0 ? ` ${waitingWords(pending)}.` : "";
  if (systems.every(({ turned_right, turned_wrong }) => turned_right + turned_wrong === 0))
    return `The amended gold answers have not changed any score.${open}`;
  const change = audited
    ? "After correction by the audit, people’s decisions change"
    : "The amended gold answers change";
  if (gains.length === 1)
    return `${change} the score of ${most.label} by ${formatDifference(most.gain)} points.${open}`;
  // Which of two systems gains more is for the intervals to say, not for the order of two figures.
  return `${change} scores by ${formatDifference(least.gain)} (${least.label}) to ${formatDifference(most.gain)} points (${most.label}).${open}`;
}
