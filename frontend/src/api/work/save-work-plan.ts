/** Puts another work plan in force, from the next sheet on. */
import { api, unwrap } from "../client";
import type { WorkPlan, WorkPlanDraft } from "../contract";

export async function saveWorkPlan(slug: string, body: WorkPlanDraft): Promise<WorkPlan> {
  return unwrap(api.PUT("/api/projects/{slug}/work", { params: { path: { slug } }, body }));
}
