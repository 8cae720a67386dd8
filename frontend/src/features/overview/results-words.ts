/** What a study has found, in sentences: the best system, and the judge to trust. */
import type { BestSystem, FoundJudge, TrustedJudge } from "../../api/schema";
import { figureIn, intervalWords } from "../../components/figure";
import { leftOutWords, reachWords, undecidedWords, weightWords } from "../../domain/judged";
import { behindWords, FEWEST_RATERS } from "../../domain/rater-test";
import { listOf } from "../../lib/lists";
import {
  countOf,
  FEW,
  formatCoefficient,
  formatCount,
  formatPercent,
  formatPoints,
  statistic,
} from "../../lib/numbers";

/** The answer stands out, the rest says how sure it is. */
export interface Finding {
  readonly answer: string;
  readonly details: string;
}

/** Whether more judging can still change the answer, so that it is one of the moment. */
export function isSoFar({ undecided_because: because }: BestSystem): boolean {
  return because === "not_decided" || because === "not_audited";
}

export function systemFinding(found: BestSystem): Finding {
  const because = found.undecided_because;
  if (because) return { answer: NO_BEST[because](found), details: neededWords(found, because) };
  const [first, ...tied] = found.leaders;
  if (!first) return { answer: "", details: "" };
  const score = `${formatPercent(first.score.value)} of ${countOf(found.n_questions, "question")} correct (${intervalWords(first.score)})`;
  const by = found.is_estimated
    ? `Estimated for all questions from the ${formatCount(found.judged_questions)} whose answers people judged`
    : found.is_corrected
      ? "After correction by the audit of settled answers"
      : "According to people’s decisions";
  const others = found.rivals.length + found.worse;
  if (tied.length > 0) {
    const names = listOf(found.leaders.map(({ label }) => label));
    return {
      answer: `${names} are tied for the highest score`,
      details: `${by}: ${score}.${besideWords(found)}`,
    };
  }
  return {
    answer: `${first.label} ${standingWords(found, others)}`,
    details: `${by}: ${score}.${besideWords(found)}`,
  };
}

/** How the one leader stands beside the other ranked systems. */
function standingWords({ rivals, unranked }: BestSystem, others: number): string {
  if (others === 0)
    return unranked.length > 0 ? "is the only system that answered all questions" : "has the highest score";
  return rivals.length === 0 ? "is the best system" : "has the highest score but is not clearly the best";
}

const NO_BEST: Readonly<Record<NonNullable<BestSystem["undecided_because"]>, (found: BestSystem) => string>> =
  {
    no_system: () => "No system has answers yet",
    not_decided: () => "Too early to say which system is best",
    not_audited: ({ programs_share: share }) =>
      `Too early to say which system is best: automatic judges helped settle ${formatPercent(share)} of the systems’ answers, and people have checked too few of them`,
    barely_decided: () =>
      "No system can be called best: for at least one system, people have decided too few answers",
    different_questions: () => "No system can be called best: systems answered different questions",
    few_questions: ({ n_questions: all }) =>
      `${countOf(all, "question")}: too few to say which system is best`,
  };

/** What it takes for a system to be named, and how far that is. */
function neededWords(found: BestSystem, because: NonNullable<BestSystem["undecided_because"]>): string {
  return because === "not_decided" ? untilDecidedWords(found) : (NEEDED[because] ?? "");
}

function untilDecidedWords({ open_questions: open, n_questions: all }: BestSystem): string {
  const when = "The best system appears here when all answers are decided.";
  const done = all - open;
  if (done === 0) return `${when} So far, there is no question whose answers are all decided.`;
  // Rounded down: not all are decided yet.
  const share = formatPercent(Math.floor((100 * done) / all) / 100, 0);
  return `${when} So far, all answers to ${formatCount(done)} of ${countOf(all, "question")} (${share}) are decided.`;
}

const NEEDED: Partial<Readonly<Record<NonNullable<BestSystem["undecided_because"]>, string>>> = {
  not_audited:
    "The best system appears here when people have decided enough of the audited answers to correct the scores.",
  barely_decided: "People need to decide at least 80% of each system’s answers.",
  few_questions: `At least ${FEW} questions are needed.`,
};

/** The best again: by its name where others were named since. */
function nameAgain(name: string | undefined, rivals: readonly unknown[]): string {
  return name && rivals.length > 0 ? name : "It";
}

/** Who may be as good, and from how many the best differs. */
function besideWords(found: BestSystem): string {
  const rivals = found.rivals.map(({ label, score }) => `${label} (${formatPercent(score.value)})`);
  // Of systems that are tied, each is tested against the others.
  const who = found.leaders.length === 2 ? "Both are" : "All of them are";
  const is =
    found.leaders.length > 1
      ? `${who} significantly better than`
      : `${nameAgain(found.leaders[0]?.label, rivals)} is significantly better than`;
  const worse = worseWords(found.worse, { is, isAll: rivals.length === 0, thing: "system" });
  return `${rivalsWords(rivals, "be as good")}${worse}${unrankedWords(found)}`;
}

const MOST_NAMED = 3;

function rivalsWords(rivals: readonly string[], as: string): string {
  if (rivals.length === 0) return "";
  const named = rivals.length > MOST_NAMED ? rivals.slice(0, MOST_NAMED - 1) : rivals;
  const rest = rivals.length - named.length;
  return ` ${listOf([...named, ...(rest > 0 ? [countOf(rest, "other")] : [])])} may ${as}.`;
}

interface Better {
  /** Whether these are all others there are. */
  readonly isAll: boolean;
  readonly thing: string;
  readonly is: string;
}

function worseWords(worse: number, { isAll, thing, is }: Better): string {
  if (worse === 0) return "";
  const which = isAll ? allOthers(worse, thing) : countOf(worse, `other ${thing}`);
  return ` ${is} ${which}.`;
}

function allOthers(count: number, thing: string): string {
  return count === 1 ? `the other ${thing}` : `all ${formatCount(count)} other ${thing}s`;
}

function unrankedWords({ unranked }: BestSystem): string {
  if (unranked.length === 0) return "";
  const who =
    unranked.length === 1
      ? "This system is not ranked because it"
      : "These systems are not ranked because they";
  return ` ${who} answered fewer questions: ${unranked.join(", ")}.`;
}

export function judgeFinding(found: TrustedJudge): Finding {
  if (found.untrusted_because) return { answer: NO_JUDGE[found.untrusted_because](found), details: "" };
  if (!found.best) return { answer: "", details: "" };
  const agreement = figureIn(found.best.figures, "accuracy_all");
  const kappa = formatCoefficient(figureIn(found.best.figures, "cohen_kappa").value);
  const how = `${formatPercent(agreement.value)} of ${countOf(found.answers, "answer")} (${intervalWords(agreement)}; ${statistic("κ", kappa)})`;
  const rivals = found.rivals.map(({ name, agreement: own }) => `${name} (${formatPercent(own.value)})`);
  const better = { isAll: rivals.length === 0, thing: "judge" };
  const worse = worseWords(found.worse, {
    ...better,
    is: `${nameAgain(found.best.name, rivals)} agrees significantly more often than`,
  });
  const beside = `${rivalsWords(rivals, "agree as often")}${worse}`;
  return {
    answer: leaderWords(found, found.best),
    // Whoever reads no further has to know what it was trained on.
    details: [`It agrees with people on ${how}.${beside}`, found.best.caution, insteadWords(found)]
      .filter(Boolean)
      .join(" "),
  };
}

/** Whom to trust where the agreement of the best may be overstated. */
function insteadWords({ best_without_caution: other }: TrustedJudge): string {
  if (!other) return "";
  return `Among the other judges, ${other.name} agrees with people most (${formatPercent(other.agreement.value)}).`;
}

/** Which judge agrees most; where it is fit for nothing that it is asked for, that comes first. */
function leaderWords({ judges }: TrustedJudge, best: FoundJudge): string {
  const isFit = [best.ranking.trust, best.scoring.trust].some((trust) => trust !== "no") || mayReplace(best);
  const most = judges === 1 ? "is the only judge to compare" : "agrees with them most";
  if (!isFit) return `No judge can replace people here; ${best.name} ${most}`;
  return `${best.name} ${judges === 1 ? most : "agrees most with people"}`;
}

function mayReplace({ standing_in: { replaces } }: FoundJudge): boolean {
  return replaces === "yes" || replaces === "few_votes";
}

const NO_JUDGE: Readonly<
  Record<NonNullable<TrustedJudge["untrusted_because"]>, (found: TrustedJudge) => string>
> = {
  nothing_decided: () => "Too early to say which judge to trust: people have not decided any answers yet",
  few_answers: ({ answers }) =>
    `Too early to say which judge to trust: people have decided only ${countOf(answers, "answer")}`,
  no_judge: () => "No judge has judged every answer that people decided",
  unchecked: () =>
    "Too early to say which judge to trust: people have not yet checked a random share of the answers that automatic judges settled",
  undecided: ({ undecided }) =>
    `Too early to say which judge to trust: automatic judges settled some answers, and ${countOf(undecided, "distinct answer")} left to people or sampled for the audit ${undecided === 1 ? "is" : "are"} still undecided`,
  chance: () =>
    "No judge can be trusted: none agrees with people significantly more often than would be expected by chance",
};

type Ranking = FoundJudge["ranking"];

export interface Use {
  readonly purpose: string;
  readonly answer: string;
  readonly why: string;
  /** What a change of the protocol would do about it, as the words of a link. */
  readonly fix?: string;
}

const ANSWERS = { yes: "Yes", no: "No", unsure: "Unknown" } as const;

/** What the judge can do, and what it must not be used for. */
export function usesOf(
  judge: FoundJudge,
  { epsilon, is_audited: isAudited }: Pick<TrustedJudge, "epsilon" | "is_audited">,
  system: BestSystem,
): readonly Use[] {
  const { ranking, scoring, standing_in: place } = judge;
  const replaces = { yes: "Yes", no: "No", chance: "No", few_votes: "Unknown" } as const;
  return [
    { purpose: "Can it rank systems?", answer: ANSWERS[ranking.trust], why: rankingWords(ranking, system) },
    {
      purpose: "Can you report its scores?",
      answer: ANSWERS[scoring.trust],
      why: `${scoringWords(scoring)}${isAudited ? BETTER : ""}`,
    },
    {
      purpose: "Can it replace an annotator?",
      answer: replaces[place.replaces],
      why: placeWords(place, epsilon),
      ...(lacksRaters(place) && { fix: `Have ${FEWEST_RATERS} annotators judge each answer` }),
    },
  ];
}

function rankingWords(
  { pairs, same, alike, rank_of_best: rank, trust }: Ranking,
  system: BestSystem,
): string {
  if (system.undecided_because) return "People’s scores do not rank the systems yet.";
  const best = rankOfBestWords(rank, system);
  if (pairs === 0) return `No two systems differ significantly in people’s scores.${best}`;
  const agrees = "It agrees with people on the order of";
  const which = "of systems that differ significantly";
  if (same < pairs && pairs === 1)
    return `It does not agree with people on the order of the only pair ${which}.${best}`;
  if (same < pairs)
    return `${agrees} only ${formatCount(same)} of ${formatCount(pairs)} pairs ${which}.${best}`;
  const those = `${agrees} ${allPairs(pairs)} ${which}`;
  return `${those}${trust === "yes" ? "" : doubtWords(pairs, alike)}.${best}`;
}

function allPairs(pairs: number): string {
  if (pairs === 1) return "the only pair";
  return pairs === 2 ? "both pairs" : `all ${formatCount(pairs)} pairs`;
}

/** Why the same order may be chance, by how many pairs differ significantly by the judge's own scores, too. */
function doubtWords(pairs: number, alike: number): string {
  if (alike >= pairs) return ", but with so few pairs, this may be due to chance";
  const few =
    pairs === 1
      ? "these two do not differ"
      : alike === 0
        ? "none of them differs"
        : `only ${formatCount(alike)} of them differ${alike === 1 ? "s" : ""}`;
  return `, but ${few} significantly in the judge’s own scores, so this may be due to chance`;
}

function rankOfBestWords(rank: number | null, { leaders }: BestSystem): string {
  const [first, ...tied] = leaders;
  if (!first || tied.length > 0 || rank === null || rank === 1) return "";
  return ` People rank ${first.label} first, but the judge ranks it number ${formatCount(rank)}.`;
}

function scoringWords({ bias, most, trust }: FoundJudge["scoring"]): string {
  if (bias.value === null) return "Too few answers have been judged to tell.";
  const interval = intervalWords(bias, signedPoints);
  const all = `${offWords(bias.value)}${interval && ` (${interval})`}.`;
  if (!most) return trust === "unsure" ? `${all} ${UNKNOWN_BY_SYSTEM}` : all;
  const worst = most.difference.value;
  if (worst === null || Number(formatPoints(worst)) === 0) return all;
  return `${all} The largest error is in its score for ${most.label}: ${formatPoints(Math.abs(worst))} points too ${worst > 0 ? "high" : "low"}.`;
}

/** Where an audit corrects scores. */
const BETTER = " If the leaderboard has corrected scores, report those: they also use people’s labels.";

const UNKNOWN_BY_SYSTEM = "The errors in its scores for individual systems are unknown.";

function signedPoints(share: number): string {
  return formatPoints(share).replace("-", "−");
}

function offWords(bias: number): string {
  const points = formatPoints(Math.abs(bias));
  if (Number(points) === 0) return "It accepts as many answers as people do";
  return `The share of answers it accepts is ${points} points ${bias < 0 ? "lower" : "higher"} than people’s`;
}

/** Whether the test can never be run under the protocol as it is. */
function lacksRaters({ replaces, first_raters: first }: FoundJudge["standing_in"]): boolean {
  return replaces === "few_votes" && first < FEWEST_RATERS;
}

function placeWords(place: FoundJudge["standing_in"], epsilon: number): string {
  const { replaces, won, raters, first_raters: first } = place;
  const test = `alternative annotator test, ε = ${formatCoefficient(epsilon)}`;
  if (lacksRaters(place))
    return `The test needs ${formatCount(FEWEST_RATERS)} annotators for the same answers. Here, ${first === 1 ? "one annotator judges" : `${formatCount(first)} annotators judge`} each answer, and tie-breaks do not count.`;
  if (replaces === "few_votes")
    return `The test needs ${formatCount(FEWEST_RATERS)} annotators who have each judged at least 30 answers that the judge and another annotator have also judged.`;
  const behind = behindWords({ replaces, won, raters }, epsilon);
  return `Measured by agreement with the other annotators, ${behind} (${test}).`;
}

/** What whoever uses the judge has to know, a sentence each. */
export function cautionsOf(found: TrustedJudge): readonly string[] {
  const { best } = found;
  if (!best) return [];
  return [
    errorWords(best),
    kinWords(best),
    flipWords(best),
    best.is_recorded ? "Its verdicts come from a file, so it cannot judge new answers here." : "",
    leftOutWords(found),
    weightWords({ weighed: found.is_audited }),
    undecidedWords(found),
    reachWords(found),
  ].filter((words) => words !== "");
}

function errorWords({ figures }: FoundJudge): string {
  const rejects = figureIn(figures, "rejects_right").value;
  const accepts = figureIn(figures, "accepts_wrong").value;
  if (rejects === null || accepts === null) return "";
  return `It rejects ${formatPercent(rejects)} of the answers that people accept and accepts ${formatPercent(accepts)} of those that people reject.`;
}

function kinWords({ kin, self_preference: preference }: FoundJudge): string {
  if (kin.length === 0) return "";
  const family = `It belongs to the same model family as ${listOf(kin)}`;
  const them = kin.length === 1 ? "it" : "them";
  return (preference?.low ?? 0) > 0
    ? `${family} and is more lenient toward ${them} by ${formatPoints(preference?.value)} points.`
    : `${family}, so it may favor ${them}.`;
}

function flipWords({ flipped_share: share }: FoundJudge): string {
  if (!share?.value) return "";
  return `In another run with the same options, it changed ${formatPercent(share.value)} of its verdicts.`;
}

/** Which judges had no part in the comparison, and why. */
export function leftOutJudges({ by_chance: chance, unfinished, told }: TrustedJudge): readonly string[] {
  return [
    chance.length > 0
      ? `${notCompared(chance, "its", "their")} agreement with people may be due to chance: ${chance.join("; ")}.`
      : "",
    unfinished.length > 0
      ? `${notCompared(unfinished, "it has", "they have")} not judged all of these answers: ${unfinished.join("; ")}.`
      : "",
    told.length > 0
      ? `${notCompared(told, "it was", "they were")} told what people decided: ${told.join("; ")}.`
      : "",
  ].filter((words) => words !== "");
}

function notCompared(judges: readonly string[], one: string, several: string): string {
  return judges.length === 1
    ? `This judge is not compared because ${one}`
    : `These judges are not compared because ${several}`;
}
