/** Takes a decision back. */
import { api, unwrap } from "../client";
import type { QueueDetail } from "../contract";

export async function reopen(slug: string, candidate: string, reason: string): Promise<QueueDetail> {
  return unwrap(
    api.POST("/api/projects/{slug}/answers/{candidate}/reopen", {
      params: { path: { slug, candidate } },
      body: { reason },
    }),
  );
}
