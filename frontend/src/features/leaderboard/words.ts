/** The board in sentences. */
import type { Amendments, Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { intervalWords, whyWords } from "../../components/figure";
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
import { baselineColumn, decidedShare, difference, humanColumn, isPeoples, sortedRows } from "./standings";

/** The page's answer: who leads by people, and what that changed. */
export function headline(board: Leaderboard): string {
  const questions = countOf(board.n_questions, "question");
  const human = humanColumn(board.columns, board.rows);
  const baseline = baselineColumn(board.columns);
  const best = human && bestRow(board, human);
  if (!human || !best?.scores[human.key])
    return `${countOf(board.rows.length, "system")} on ${questions}.${programsWords(board)}`;
  // Without ranks nobody leads, and on so few nobody is said to.
  if (board.is_estimated && human.key === CORRECTED)
    return correctedWords(board, human, leadersWords(board, human), human.name);
  if (!board.all_decided) return `${undecidedWords(board)}${programsWords(board)}`;
  if (answeredOthers(board))
    return `${countOf(board.rows.length, "system")} on ${questions}, which not all of them answered: none leads.`;
  if (board.n_questions < FEW)
    return `${questions} decided${board.programs_share > 0 ? "" : " by people"}: too few to say which system leads.${programsWords(board)}`;
  const amended = board.columns.find((column) => column.kind === "human" && !isPeoples(column, board.rows));
  if (amended) return barelyDecidedWords(board, amended);
  const score = formatPercent(best.scores[human.key]?.value);
  const gains = baseline ? gainWords(board, baseline, human) : "";
  if (board.programs_share > 0)
    return `${correctedWords(board, human, leadersWords(board, human))}${programsWords(board)}`;
  const leaders = `${leadersWords(board, human)}: right on ${score} of ${questions}.${higherWords(board, human)}${gains}`;
  return isPartlyJudged(board)
    ? `${partlyJudgedWords(board)} So counted, ${leaders}`
    : `By people ${leaders}`;
}

/** A system that answered fewer questions has no rank, however high its score. */
function bestRow(board: Leaderboard, human: LeaderboardColumn): SystemRow | undefined {
  return board.rows.find((row) => row.scores[human.key]?.rank.value === 1) ?? board.rows[0];
}

/** Few audited answers leave a wide interval, so that nobody is said to lead without it. */
function correctedWords(
  board: Leaderboard,
  human: LeaderboardColumn,
  leaders: string,
  how = "Corrected by the audit",
): string {
  const score = bestRow(board, human)?.scores[human.key];
  const interval = score ? intervalWords(score) : "";
  return `${how}, ${leaders}: ${formatPercent(score?.value)} of ${countOf(board.n_questions, "question")} right${interval ? ` (${interval})` : ""}.`;
}

/** How much programs settled, and what that means where no audit corrects it; empty where people judged. */
export function programsWords({ columns, programs_share, rows }: Leaderboard): string {
  const isCorrected = columns.some(
    ({ key }) => key === CORRECTED && rows.some(({ scores }) => scores[key] != null),
  );
  return settledWords(programs_share, isCorrected);
}

/** The same of any table of systems; isCorrected: it has a column that the audit corrects. */
export function settledWords(programsShare: number, isCorrected: boolean): string {
  if (programsShare === 0) return "";
  const share = ` Programs had a part in settling ${formatPercent(programsShare)} of the systems’ answers`;
  return isCorrected
    ? `${share}; the audit corrects what they got wrong.`
    : `${share}, too few of them audited to say how often they were wrong.`;
}

/** Of the sample beside all questions; who leads is said of one of the two alone. */
export function besideWords(board: Leaderboard): string {
  const questions = `${countOf(board.n_questions, "question")} that people judge, beside all questions.`;
  const partly = board.programs_share > 0 ? programsWords(board).trim() : partlyJudgedWords(board);
  return `${countOf(board.rows.length, "system")} on ${questions}${partly && ` ${partly}`}`;
}

/** Nobody is asked of more answers, and yet people have judged too few of them to rank systems. */
function barelyDecidedWords(board: Leaderboard, amended: LeaderboardColumn): string {
  const share = formatPercent(decidedShare(board.rows), 0);
  const on = isPartlyJudged(board) ? `, on ${judgedOf(board)}` : "";
  return `People have decided ${share} of the systems’ answers${on}. The first column is of these alone; what is not decided counts by exact match in “${amended.name}”.`;
}

/** Who leads, or who leads together where scores are equal; nobody leads whom the test cannot tell from others. */
function leadersWords(board: Leaderboard, human: LeaderboardColumn): string {
  const first = board.rows.filter((row) => row.scores[human.key]?.rank.value === 1);
  const leaders = first.map(({ label }) => label);
  const last = leaders.pop() ?? "";
  if (leaders.length === 0) {
    const worst = first[0]?.scores[human.key]?.rank.high ?? undefined;
    if (worst === 1) return `${last} leads`;
    if (worst === undefined) return `${last} stands highest`;
    return `${last} stands highest, but cannot be told from ${countOf(worst - 1, "other")}`;
  }
  if (leaders.length > 3) return `${formatCount(leaders.length + 1)} systems are level`;
  return `${leaders.join(", ")} and ${last} are level`;
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
  return ` ${best.label} stands higher, ${formatPercent(scoreOf(best))}, on ${questions}; ranks compare on the same questions.`;
}

/** What stands under the name of people while they decided little: mostly exact match. Empty for other columns. */
export function matchedWords(column: LeaderboardColumn, { rows }: Pick<Leaderboard, "rows">): string {
  if (column.kind !== "human" || isPeoples(column, rows)) return "";
  return "mostly by exact match";
}

/** Why a system has no rank, to stand in its row; empty where it has one. */
export function noRankWords(row: SystemRow, { rows, n_questions }: Leaderboard): string {
  if (row.n === Math.max(...rows.map(({ n }) => n))) return "";
  return `no rank: ${formatCount(row.n)} of ${countOf(n_questions, "question")}`;
}

function gainWords(board: Leaderboard, from: LeaderboardColumn, to: LeaderboardColumn): string {
  const gains = board.rows
    // From exact match on, long answers gain by their length, whatever people say of them.
    .filter((row) => !row.has_long_answers)
    .map((row) => ({ label: row.label, gain: difference(row, from.key, to.key) }))
    .filter((entry): entry is { label: string; gain: number } => entry.gain !== null)
    .sort((a, b) => b.gain - a.gain);
  const [largest] = gains;
  if (!largest || largest.gain <= 0) return "";
  const whom = gains.length < board.rows.length ? "Of systems with short answers people" : "People";
  return ` ${whom} move ${largest.label} most: ${formatPoints(largest.gain)} points above ${from.name.toLowerCase()}.`;
}

/** Whether nobody has a rank by any way of judging, though all is judged, since questions differ. */
function answeredOthers({ rows, n_questions }: Pick<Leaderboard, "rows" | "n_questions">): boolean {
  const hasRank = rows.some(({ scores }) => Object.values(scores).some((score) => score?.rank.value != null));
  return !hasRank && rows.length > 1 && rows.every(({ n }) => n < n_questions);
}

/** Who has no rank, and why: ranks are among systems that answered every question. */
export function unrankedWords({ rows, n_questions }: Leaderboard): string {
  if (answeredOthers({ rows, n_questions }))
    return "Without ranks, as systems answered different questions: choose a data set, or compare two.";
  const fewer = rows.filter(({ n }) => n < n_questions);
  if (fewer.length === 0 || fewer.length === rows.length) return "";
  const which = fewer.map(({ label, n }) => `${label} (${formatCount(n)})`).join(", ");
  return `Without a rank, as not all ${countOf(n_questions, "question")} were answered: ${which}.`;
}

/** A share of answers that are decided; one that rounds to all although some are not says more digits. */
export function decidedWords(share: number): string {
  const words = formatPercent(share, 0);
  if (share >= 1 || words !== formatPercent(1, 0)) return words;
  const finer = formatPercent(share);
  return finer === formatPercent(1) ? `nearly ${words}` : finer;
}

/** Why there are no ranks by people yet. */
export function undecidedWords(board: Leaderboard): string {
  const shares = board.rows.map((row) => row.decided_share);
  const low = Math.min(...shares);
  const high = Math.max(...shares);
  const share =
    decidedWords(low) === decidedWords(high)
      ? decidedWords(low)
      : `${decidedWords(low)} to ${decidedWords(high)}`;
  const on = isPartlyJudged(board) ? `, on ${judgedOf(board)}` : "";
  const who = board.programs_share > 0 ? "People and programs have" : "People have";
  return `${who} decided ${share} of each system’s answers${on}, so there is no rank by people yet. “Range” takes all answers that people have not decided as wrong, then as right.`;
}

/** Why no slope is drawn, of the ways of judging that a slope would go through alone: F1 has another unit. */
export function levelWords(
  { columns, rows }: Leaderboard,
  drawn: readonly LeaderboardColumn[],
  measure: "rank" | "score",
): string {
  const ways = drawn.map(({ name }) => name);
  const who = rows.length === 2 ? "both systems" : `all ${countOf(rows.length, "system")}`;
  const apart = columns.some(({ unit }) => unit === "f1") ? " Mean F1 is another unit and is not drawn." : "";
  return `By ${ways.slice(0, -1).join(", ")} and ${ways.at(-1) ?? ""} ${who} have the same ${measure}; there is no slope to draw.${apart}`;
}

/** The agreement of a column's ranking with that of people, or why there is none. */
export function tauWords(column: LeaderboardColumn): string {
  const { value } = column.kendall_tau_b;
  return value === null ? (whyWords(column.kendall_tau_b) ?? "–") : formatCoefficient(value);
}

/** The answer of the track in which systems are ranked by size. */
export function smallestWords(board: Leaderboard): string {
  const [smallest] = sortedRows(board.rows, { key: "about:size_bytes", direction: "ascending" });
  const size = smallest?.description["size_bytes"];
  if (!smallest || typeof size !== "number") return headline(board);
  return `${smallest.label} is the smallest of ${countOf(board.rows.length, "system")} that are right often enough: ${sizeWords(size)}.`;
}

/** How many answers of systems wait, as a sentence that still lacks its period. */
export function waitingWords(pending: number): string {
  return `${countOf(pending, "answer")} of systems ${pending === 1 ? "is" : "are"} not decided yet`;
}

/** How far amendment moved systems. */
export function turnedWords({ systems, pending }: Amendments): string {
  const gains = systems
    .map(({ label, gain }) => ({ label, gain: gain.value ?? 0 }))
    .sort((a, b) => b.gain - a.gain);
  const [most, least] = [gains[0], gains.at(-1)];
  if (!most || !least) return "";
  const open = pending > 0 ? ` ${waitingWords(pending)}.` : "";
  if (systems.every(({ turned_right, turned_wrong }) => turned_right + turned_wrong === 0))
    return `Amendment has changed no score.${open}`;
  if (gains.length === 1)
    return `Amendment moves ${most.label} by ${formatDifference(most.gain)} points.${open}`;
  // Which of two systems gains more is for the intervals to say, not for the order of two figures.
  return `Amendment moves scores by ${formatDifference(least.gain)} (${least.label}) to ${formatDifference(most.gain)} points (${most.label}).${open}`;
}

/** Which systems have no certain place, for the paper to say so; empty while ranks are not bounded. */
export function unsureOrderWords(
  { rows }: Pick<Leaderboard, "rows">,
  { key, name }: Pick<LeaderboardColumn, "key" | "name">,
): string {
  const unsure = rows.flatMap(({ label, scores }) => {
    const rank = scores[key]?.rank;
    if (!rank || rank.value === null || rank.low === null || rank.low === rank.high) return [];
    return [`${label} (rank ${formatCount(rank.low)} to ${formatCount(rank.high ?? rank.low)})`];
  });
  return unsure.length === 0 ? "" : `The order is not certain by “${name}”: ${unsure.join(", ")}.`;
}
