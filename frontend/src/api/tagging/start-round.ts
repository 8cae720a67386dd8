/** Draws a tagging round. */
import { api, unwrap } from "../client";
import type { RoundDraft, TaggingRoundDetail } from "../contract";

export async function startRound(slug: string, body: RoundDraft): Promise<TaggingRoundDetail> {
  return unwrap(api.POST("/api/projects/{slug}/tagging", { params: { path: { slug } }, body }));
}
