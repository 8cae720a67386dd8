/** Takes a published number out of every table. */
import { api, unwrap } from "../client";
import type { ReferenceScore } from "../contract";

export async function removeReference(slug: string, reference: string): Promise<ReferenceScore> {
  return unwrap(
    api.DELETE("/api/projects/{slug}/reference-scores/{reference}", {
      params: { path: { slug, reference } },
    }),
  );
}
