/** The sheets held by this rater, up to `ahead` of them; asking again hands out the same ones. */
import { api, unwrap } from "../client";
import type { Work } from "../contract";

export async function nextSheets(slug: string, ahead: number): Promise<Work> {
  return unwrap(
    api.POST("/api/projects/{slug}/sheets/next", { params: { path: { slug } }, body: { ahead } }),
  );
}
