/** Whether enough people take part for the protocol. */
import type { Setup } from "../api/schema";
import { countOf } from "../lib/numbers";

type People = Pick<Setup, "annotators_needed" | "annotators_present" | "invited">;

/** What to call the last of so many annotators. */
const PLACES = [
  ...["", "", "a second", "a third", "a fourth", "a fifth", "a sixth"],
  ...["a seventh", "an eighth", "a ninth", "a tenth"],
];

/** How many annotators to invite: those whom nobody is and no open link stands for. */
export function annotatorsToInvite({ annotators_needed, annotators_present, invited }: People): number {
  return Math.max(0, annotators_needed - annotators_present - invited);
}

/** What the protocol still lacks; nothing where enough take part. */
export function annotatorsNeededWords({
  annotators_needed: needed,
  annotators_present: present,
}: People): string {
  if (present >= needed) return "";
  if (present > 0 && present === needed - 1 && PLACES[needed])
    return `This protocol needs ${PLACES[needed]} annotator.`;
  const there = present === 0 ? "" : `; ${countOf(present, "has", "have")} joined`;
  return `This protocol needs ${countOf(needed, "annotator")}${there}.`;
}

/** What a project with fewer people can do instead; nothing where its protocol asks for no more than the first. */
export function fewerAnnotatorsWords({
  annotators_needed: needed,
  annotators_with_lead: fewer,
}: Pick<Setup, "annotators_needed" | "annotators_with_lead">): string {
  if (fewer >= needed) return "";
  return `Do not count yourself: leads cannot judge. ${countOf(fewer, "annotator is", "annotators are")} enough if you resolve disagreements yourself.`;
}

/** Why there must be more annotators than judge each answer; nothing where that is not so, or not as simple. */
export function tieBreakWords({
  annotators_needed: needed,
  annotators_with_lead: first,
  raters_per_answer: asked,
}: Pick<Setup, "annotators_needed" | "annotators_with_lead" | "raters_per_answer">): string {
  if (first < 2 || asked !== first || needed !== first + 1 || !PLACES[needed]) return "";
  return `${first} annotators judge each answer. If they disagree, ${PLACES[needed]} judges it.`;
}

/** What happens where nobody comes who would break ties; nothing where it is not as simple as above. */
export function withoutLastWords(setup: Parameters<typeof tieBreakWords>[0]): string {
  if (tieBreakWords(setup) === "") return "";
  const last = PLACES[setup.annotators_needed]?.replace(/^an? /, "") ?? "";
  return `If no ${last} annotator joins, you decide those answers`;
}

interface Step {
  /** The address below the project. */
  readonly page: string;
  readonly search: Readonly<Record<string, number>>;
  readonly words: string;
}

interface ImportingStep extends Step {
  /** What is missing. */
  readonly missing: string;
}

/** Whether there are answers, also where they came as votes, without systems. */
export function hasAnswers({ coverage, to_judge: answers }: Pick<Setup, "to_judge" | "coverage">): boolean {
  return coverage.systems > 0 || answers > 0;
}

/** What is imported before any other step makes sense; null where there is something to judge. */
export function importingStep({
  questions,
  to_judge: answers,
  coverage,
}: Pick<Setup, "questions" | "to_judge" | "coverage">): ImportingStep | null {
  if (questions > 0 && hasAnswers({ to_judge: answers, coverage })) return null;
  const missing = questions === 0 ? "questions and answers" : "system answers";
  return { page: "import", search: {}, words: `Import ${missing}`, missing };
}

/** How a lead gets more annotators: those lacking are invited, and open invitations are looked after. */
export function invitingStep(setup: People): Step | null {
  const count = annotatorsToInvite(setup);
  if (count > 0)
    return { page: "people", search: { invite: count }, words: `Invite ${countOf(count, "annotator")}` };
  return setup.invited > 0 ? { page: "people", search: {}, words: "Manage invitations" } : null;
}

/** What a lead does where a page waits for people’s votes. */
export function stepToVotes(setup: Setup): Step {
  const progress = { page: "overview", search: {} };
  if (setup.is_ready) return { ...progress, words: "View progress" };
  return importingStep(setup) ?? invitingStep(setup) ?? { ...progress, words: "Set up human judging" };
}

export function invitedWords({ invited }: People): string {
  return invited === 0
    ? ""
    : `${countOf(invited, "invited annotator has", "invited annotators have")} not joined yet.`;
}
