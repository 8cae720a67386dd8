/** Takes back every sheet in a rater's hands, for anybody to be given. */
import { api, unwrap } from "../client";
import type { WorkPlan } from "../contract";

export async function takeBackSheets(slug: string, memberId: string): Promise<WorkPlan> {
  return unwrap(
    api.POST("/api/projects/{slug}/work/raters/{member_id}/take-back", {
      params: { path: { slug, member_id: memberId } },
    }),
  );
}
