/** Sends an answer back to raters for one more blind vote. */
import { api, unwrap } from "../client";
import type { QueueDetail, SendBackDraft } from "../contract";

export async function sendBack(slug: string, candidate: string, body: SendBackDraft): Promise<QueueDetail> {
  return unwrap(
    api.POST("/api/projects/{slug}/answers/{candidate}/send-back", {
      params: { path: { slug, candidate } },
      body,
    }),
  );
}
