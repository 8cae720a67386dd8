/** Decides several answers alike: all of them or none. */
import { api, unwrap } from "../client";
import type { GroupDecisionDraft } from "../contract";

export async function decideTogether(slug: string, body: GroupDecisionDraft) {
  return unwrap(api.POST("/api/projects/{slug}/queue/decide", { params: { path: { slug } }, body }));
}
