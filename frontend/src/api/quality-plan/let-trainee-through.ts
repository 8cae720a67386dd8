/** Gives somebody work without a passed training. */
import { api, unwrap } from "../client";
import type { QualityPlan } from "../contract";

export async function letTraineeThrough(slug: string, memberId: string): Promise<QualityPlan> {
  return unwrap(
    api.POST("/api/projects/{slug}/trainees/{member_id}/let-through", {
      params: { path: { slug, member_id: memberId } },
    }),
  );
}
