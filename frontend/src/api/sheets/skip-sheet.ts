/** Gives a sheet back unjudged, with a reason. */
import { api, unwrap } from "../client";
import type { Skip, Work } from "../contract";

export async function skipSheet(slug: string, id: string, body: Skip): Promise<Work> {
  return unwrap(
    api.POST("/api/projects/{slug}/sheets/{sheet_id}/skip", {
      params: { path: { slug, sheet_id: id } },
      body,
    }),
  );
}
