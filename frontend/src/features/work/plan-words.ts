/** The plan in sentences, as it is and as a change would make it. */
import type { PlannedRater, QualityPlan, WorkPlan } from "../../api/schema";
import { listOf } from "../../lib/lists";
import { countOf, formatCount } from "../../lib/numbers";
import { limit, linesOf, NO_WISH, type PlanDraft, type RaterDraft } from "./plan";
import type { QualityDraft } from "./quality";

const MOST_NAMED = 6;

/** "a", "a and b", "a, b and 12 more". */
function listed(all: readonly string[], between = ", "): string {
  const more = all.length - MOST_NAMED;
  const named = more > 1 ? [...all.slice(0, MOST_NAMED), `${formatCount(more)} more`] : all;
  return listOf(named, between);
}

function wishOf(draft: PlanDraft, rater: PlannedRater): RaterDraft {
  return draft.raters[rater.member_id] ?? NO_WISH;
}

/** Names of people may be written in any direction: each is isolated from the sentence around it. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

function partWords({ from, to }: RaterDraft): string {
  if (from === "" && to === "") return "all questions";
  if (to === "") return `questions ${from} and later`;
  const first = from === "" ? "1" : from;
  return first === to ? `question ${to}` : `questions ${first}–${to}`;
}

function namedWords(draft: PlanDraft, { raters }: WorkPlan): string {
  const nameOf = (id: string) =>
    isolated(raters.find(({ member_id }) => member_id === id)?.name ?? "another annotator");
  const parts = raters
    .map((rater) => ({ name: isolated(rater.name), wish: wishOf(draft, rater) }))
    .filter(({ wish }) => wish.takesPart)
    .map(
      ({ name, wish }) =>
        `${wish.standIn === "" ? name : `${nameOf(wish.standIn)} in place of ${name}`} (${partWords(wish)})`,
    );
  if (parts.length === 0) return "Only selected annotators judge, and none are selected yet.";
  return `Only these annotators judge: ${listed(parts, "; ")}.`;
}

function shareWords(draft: PlanDraft, { raters }: WorkPlan): string {
  const shares = raters.map((rater) => ({
    name: isolated(rater.name),
    share: limit(wishOf(draft, rater).share) ?? 0,
  }));
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  const parts = shares
    .filter(({ share }) => share > 0)
    .map(({ name, share }) => `${name} ${Math.round((share / total) * 100)}%`);
  if (parts.length === 0)
    return "Annotators get random shares of the questions, but no annotator has a share yet.";
  return `Annotators get random shares of the questions: ${listed(parts)}.`;
}

export function sharingWords(draft: PlanDraft, plan: WorkPlan): string {
  if (draft.sharing === "named") return namedWords(draft, plan);
  if (draft.sharing === "shares") return shareWords(draft, plan);
  return "Any annotator can get any question.";
}

/** How many raters a plan would leave to be handed new questions, by what leads choose here. */
function takingPart(draft: PlanDraft, { raters }: WorkPlan): number {
  const parts = raters.filter((rater) => wishOf(draft, rater).takesPart);
  const judging = new Set(parts.map((rater) => wishOf(draft, rater).standIn || rater.member_id));
  return raters.filter(
    (rater) =>
      rater.state === "active" &&
      !rater.is_unblinded &&
      (draft.sharing === "everyone" ||
        (draft.sharing === "named"
          ? judging.has(rater.member_id)
          : (limit(wishOf(draft, rater).share) ?? 0) > 0)),
  ).length;
}

export function sharingEffect(draft: PlanDraft, plan: WorkPlan): string {
  const present = takingPart(draft, plan);
  const needed = plan.raters_at_first;
  const judging = present === 0 ? "No annotators" : countOf(present, "annotator");
  const words = `${judging} would judge. Each answer needs ${needed}.`;
  return present < needed ? `${words} Answers will wait until more annotators take part.` : words;
}

function limitOf({ answers, questions }: RaterDraft): string {
  const limits = [
    answers === "" ? "" : countOf(Number(answers), "answer"),
    questions === "" ? "" : countOf(Number(questions), "question"),
  ];
  return limits.filter((words) => words !== "").join(" and ");
}

export function limitWords(draft: PlanDraft, { raters }: WorkPlan): string {
  const limits = raters
    .map((rater) => ({ name: isolated(rater.name), most: limitOf(wishOf(draft, rater)) }))
    .filter(({ most }) => most !== "");
  if (limits.length === 0) return "No annotator has a limit.";
  const words = listed(
    limits.map(({ name, most }) => `${name}: up to ${most}`),
    "; ",
  );
  return `${words}.${limits.length < raters.length ? " Other annotators have no limit." : ""}`;
}

export function orderWords({ order }: PlanDraft): string {
  return order === "seed"
    ? "All annotators get the questions in the same random order."
    : "All annotators get the questions in import order.";
}

export function firstWords({ goesFirst }: PlanDraft): string {
  const first = linesOf(goesFirst).map((line) => `“${isolated(line.trim())}”`);
  return first.length === 0 ? "No questions have priority." : `Annotators get ${listed(first)} first.`;
}

/** "1 sheet in 20", "7 sheets in 100"; nothing where the share is none. */
function shareOf(percent: string, noun: string): string {
  const share = Number(percent) / 100;
  if (!(share > 0)) return "";
  if (share === 1) return `every ${noun}`;
  const every = 1 / share;
  if (Math.abs(every - Math.round(every)) < 0.01) return `1 in ${formatCount(every)} ${noun}s`;
  return `${Number((share * 100).toFixed(2))} in 100 ${noun}s`;
}

export function trainingWords(draft: QualityDraft): string {
  if (!draft.isTraining) return "New annotators start without training.";
  return `New annotators must label at least ${draft.pass}% of the training answers correctly before they start.`;
}

export function trainingEffect(draft: QualityDraft, { training_answers: answers }: QualityPlan): string {
  const has = `${answers === 0 ? "No answers are" : `${countOf(answers, "answer")} ${answers === 1 ? "is" : "are"}`} marked for training`;
  if (draft.isTraining && answers < Number(draft.least)) return `${has}. Mark at least ${draft.least}.`;
  return `${has}.`;
}

export function knownWords(draft: QualityDraft, { hidden_answers: answers }: QualityPlan): string {
  const share = shareOf(draft.known, "sheet");
  if (share === "") return "No sheets contain hidden known answers.";
  return answers === 0
    ? `Known answers would be hidden in ${share}, but none are marked yet.`
    : `Known answers are hidden in ${share}.`;
}

export function repeatWords(draft: QualityDraft): string {
  const share = shareOf(draft.repeat, "sheet");
  if (share === "") return "Annotators never get the same sheet twice.";
  const sheets = countOf(Number(draft.distance), "sheet");
  const hours = Number(draft.hours) > 0 ? ` and ${countOf(Number(draft.hours), "hour")}` : "";
  return `Annotators judge ${share} again, at least ${sheets}${hours} later.`;
}

export function secondWords(draft: QualityDraft): string {
  const share = shareOf(draft.second, "question");
  if (share === "") return "There is no second pass: no questions are judged again by another annotator.";
  return `Another annotator judges ${share} again, to compare annotators with each other.`;
}

export function secondEffect(draft: QualityDraft, { questions }: WorkPlan): string {
  const drawn = Math.round((Number(draft.second) / 100) * questions);
  return `About ${formatCount(drawn)} of ${countOf(questions, "question")} would be judged again.`;
}
