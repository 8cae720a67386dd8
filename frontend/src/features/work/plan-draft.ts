/** The plan as it stands in the form: numbers as typed, empty for "no limit". */
import type { PlannedRater, WorkPlan, WorkPlanDraft } from "../../api/contract";

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

export const SHARINGS = [
  { value: "everyone", name: "Everybody", words: "Whoever comes is given the next question." },
  {
    value: "named",
    name: "Named raters",
    words: "Only the raters you choose judge, each all questions or a part from one number to another.",
  },
  {
    value: "shares",
    name: "By shares",
    words:
      "The project’s seed gives each rater a share of the questions. What somebody skips, a tie to break and the share of whoever is paused go to the others.",
  },
] as const;

export const ORDERS = [
  { value: "imported", name: "As imported" },
  { value: "seed", name: "Shuffled by the project’s seed" },
] as const;

function text(value: number | null): string {
  return value === null ? "" : String(value);
}

/** A number as typed; nothing where the field is empty. */
function limit(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
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

export function draftOf(plan: WorkPlan): PlanDraft {
  return {
    sharing: plan.sharing,
    order: plan.order,
    goesFirst: plan.goes_first.join("\n"),
    raters: Object.fromEntries(plan.raters.map((rater) => [rater.member_id, raterDraft(rater)])),
  };
}

export function bodyOf(draft: PlanDraft): WorkPlanDraft {
  return {
    sharing: draft.sharing,
    order: draft.order,
    goes_first: draft.goesFirst.split("\n").filter((line) => line.trim() !== ""),
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
