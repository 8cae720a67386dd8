/** Hands in a sheet whole and brings the next; the same key again is the same act. */
import { api, unwrap } from "../client";
import type { Submission, Work } from "../contract";

export async function submitSheet(slug: string, id: string, body: Submission): Promise<Work> {
  return unwrap(
    api.POST("/api/projects/{slug}/sheets/{sheet_id}/submit", {
      params: { path: { slug, sheet_id: id } },
      body,
    }),
  );
}
