/** Decides one answer. */
import { api, unwrap } from "../client";
import type { DecisionDraft, QueueDetail } from "../contract";

export async function decide(slug: string, candidate: string, body: DecisionDraft): Promise<QueueDetail> {
  return unwrap(
    api.POST("/api/projects/{slug}/answers/{candidate}/decision", {
      params: { path: { slug, candidate } },
      body,
    }),
  );
}
