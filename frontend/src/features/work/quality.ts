/** The quality plan while it is changed: shares as per cent, as they are typed. */
import type { QualityPlan, QualityPlanSaveRequest } from "../../api/schema";

export interface QualityDraft {
  readonly known: string;
  readonly repeat: string;
  readonly distance: string;
  readonly hours: string;
  readonly second: string;
  readonly isTraining: boolean;
  readonly pass: string;
  readonly least: string;
}

/** 0.07 as "7", without the dust of binary fractions. */
function percent(share: number): string {
  return String(Number((share * 100).toFixed(4)));
}

export function qualityDraftOf(plan: QualityPlan, changes: Partial<QualityDraft> = {}): QualityDraft {
  return {
    known: percent(plan.known_share),
    repeat: percent(plan.repeat_share),
    distance: String(plan.repeat_distance),
    hours: String(plan.repeat_hours),
    second: percent(plan.second_share),
    isTraining: plan.is_training,
    pass: percent(plan.pass_share),
    least: String(plan.least_answers),
    ...changes,
  };
}

export function qualityBodyOf(draft: QualityDraft): QualityPlanSaveRequest {
  return {
    known_share: Number(draft.known) / 100,
    repeat_share: Number(draft.repeat) / 100,
    repeat_distance: Number(draft.distance),
    repeat_hours: Number(draft.hours),
    second_share: Number(draft.second) / 100,
    is_training: draft.isTraining,
    pass_share: Number(draft.pass) / 100,
    least_answers: Number(draft.least),
  };
}
