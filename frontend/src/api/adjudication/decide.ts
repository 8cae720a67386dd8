/** Decides one answer. */
import { api, unwrap } from "../client";
import type { QueueDetail } from "../contract";

export async function decide(
  slug: string,
  candidate: string,
  body: { label: string; reason: string; category?: string },
): Promise<QueueDetail> {
  return unwrap(
    api.POST("/api/projects/{slug}/answers/{candidate}/decision", {
      params: { path: { slug, candidate } },
      body,
    }),
  );
}
