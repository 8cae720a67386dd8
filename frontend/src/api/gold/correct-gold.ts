/** Adds an answer to a question's gold list by hand, or takes one off. */
import { api, unwrap } from "../client";
import type { GoldChange, GoldCorrection } from "../contract";

export async function correctGold(slug: string, body: GoldCorrection): Promise<GoldChange> {
  return unwrap(api.POST("/api/projects/{slug}/gold/corrections", { params: { path: { slug } }, body }));
}
