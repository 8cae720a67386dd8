/** The work plan while it is changed: numbers as they are typed, and what was changed of what is saved. */
import type { PlannedRater, WorkPlan, WorkPlanSaveRequest } from "../../api/schema";

export interface RaterDraft {
  readonly takesPart: boolean;
  /** Who judges this one's part in their place; empty for nobody. */
  readonly standIn: string;
  readonly from: string;
  readonly to: string;
  readonly share: string;
  readonly answers: string;
  readonly questions: string;
}

export interface PlanDraft {
  readonly sharing: WorkPlan["sharing"];
  readonly order: WorkPlan["order"];
  readonly goesFirst: string;
  readonly raters: Readonly<Record<string, RaterDraft>>;
}

/** Each sentence changes its own part, so that the others are saved as they are. */
export interface PlanChanges extends Partial<Omit<PlanDraft, "raters">> {
  readonly raters?: Readonly<Record<string, Partial<RaterDraft>>>;
}

export const NO_WISH: RaterDraft = {
  takesPart: false,
  standIn: "",
  from: "",
  to: "",
  share: "0",
  answers: "",
  questions: "",
};

function text(value: number | null): string {
  return value === null ? "" : String(value);
}

/** A number as typed; nothing where the field is empty. */
export function limit(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

export function linesOf(typed: string): string[] {
  return typed.split("\n").filter((line) => line.trim() !== "");
}

function raterDraft(rater: PlannedRater): RaterDraft {
  return {
    takesPart: rater.takes_part,
    standIn: rater.stand_in,
    from: text(rater.first_question),
    to: text(rater.last_question),
    share: String(rater.share),
    answers: text(rater.answers_at_most),
    questions: text(rater.questions_at_most),
  };
}

export function draftOf(plan: WorkPlan, { raters = {}, ...changes }: PlanChanges = {}): PlanDraft {
  return {
    sharing: plan.sharing,
    order: plan.order,
    goesFirst: plan.goes_first.join("\n"),
    ...changes,
    raters: Object.fromEntries(
      plan.raters.map((rater) => [rater.member_id, { ...raterDraft(rater), ...raters[rater.member_id] }]),
    ),
  };
}

export function bodyOf(draft: PlanDraft): WorkPlanSaveRequest {
  return {
    sharing: draft.sharing,
    order: draft.order,
    goes_first: linesOf(draft.goesFirst),
    raters: Object.entries(draft.raters).map(([id, rater]) => ({
      member_id: id,
      takes_part: rater.takesPart,
      stand_in: rater.standIn,
      first_question: limit(rater.from),
      last_question: limit(rater.to),
      share: limit(rater.share) ?? 0,
      answers_at_most: limit(rater.answers),
      questions_at_most: limit(rater.questions),
    })),
  };
}
