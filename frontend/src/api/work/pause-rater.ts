/** Hands a rater nothing more; the sheets in hand are taken back at once, or stay until their time runs out. */
import { api, unwrap } from "../client";
import type { WorkPlan } from "../contract";

export async function pauseRater(slug: string, memberId: string, takesBack: boolean): Promise<WorkPlan> {
  return unwrap(
    api.POST("/api/projects/{slug}/work/raters/{member_id}/pause", {
      params: { path: { slug, member_id: memberId } },
      body: { takes_back: takesBack },
    }),
  );
}
