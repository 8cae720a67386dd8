/** Keeps a published number. */
import { api, unwrap } from "../client";
import type { ReferenceDraft, ReferenceScore } from "../contract";

export async function addReference(slug: string, body: ReferenceDraft): Promise<ReferenceScore> {
  return unwrap(api.POST("/api/projects/{slug}/reference-scores", { params: { path: { slug } }, body }));
}
