/** Saves the pre-judging policy; nothing is settled by that. */
import { api, unwrap } from "../client";
import type { Policy, PolicyDraft } from "../contract";

export async function savePolicy(slug: string, body: PolicyDraft): Promise<Policy> {
  return unwrap(api.PUT("/api/projects/{slug}/prejudging", { params: { path: { slug } }, body }));
}
