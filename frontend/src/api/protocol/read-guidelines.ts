/** Says that this person has read the guidelines; refused where they were changed since they were shown. */
import { api, unwrap } from "../client";

export async function readGuidelines(slug: string, seenHash: string): Promise<void> {
  await unwrap(
    api.POST("/api/projects/{slug}/guidelines", {
      params: { path: { slug } },
      body: { seen_hash: seenHash },
    }),
  );
}
