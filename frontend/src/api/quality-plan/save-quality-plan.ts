/** Looks at raters' work another way, from the next sheet on. */
import { api, unwrap } from "../client";
import type { QualityPlan, QualityPlanDraft } from "../contract";

export async function saveQualityPlan(slug: string, body: QualityPlanDraft): Promise<QualityPlan> {
  return unwrap(api.PUT("/api/projects/{slug}/quality-plan", { params: { path: { slug } }, body }));
}
