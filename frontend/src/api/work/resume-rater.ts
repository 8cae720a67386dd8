/** Hands a paused rater work again. */
import { api, unwrap } from "../client";
import type { WorkPlan } from "../contract";

export async function resumeRater(slug: string, memberId: string): Promise<WorkPlan> {
  return unwrap(
    api.POST("/api/projects/{slug}/work/raters/{member_id}/resume", {
      params: { path: { slug, member_id: memberId } },
    }),
  );
}
