/** Undoes one change of the gold list. */
import { api, unwrap } from "../client";
import type { GoldChange } from "../contract";

export async function undoGoldChange(slug: string, change: string, reason: string): Promise<GoldChange> {
  return unwrap(
    api.POST("/api/projects/{slug}/gold/{change}/undo", {
      params: { path: { slug, change } },
      body: { reason },
    }),
  );
}
