/** What a policy would settle, changing nothing. */
import { api, unwrap } from "../client";
import type { PolicyDraft, PolicyPreview } from "../contract";

export async function previewPolicy(slug: string, body: PolicyDraft): Promise<PolicyPreview> {
  return unwrap(api.POST("/api/projects/{slug}/prejudging/preview", { params: { path: { slug } }, body }));
}
