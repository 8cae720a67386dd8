/** Puts back a published number that was taken out. */
import { api, unwrap } from "../client";
import type { ReferenceScore } from "../contract";

export async function restoreReference(slug: string, reference: string): Promise<ReferenceScore> {
  return unwrap(
    api.POST("/api/projects/{slug}/reference-scores/{reference}/restore", {
      params: { path: { slug, reference } },
    }),
  );
}
