/** Takes back what was said of an item. */
import { api, unwrap } from "../client";
import type { TaggedItem } from "../contract";

export async function withdrawTagging(
  slug: string,
  round: string,
  item: string,
  seenNumber: number,
): Promise<TaggedItem> {
  return unwrap(
    api.POST("/api/projects/{slug}/tagging/{tagging_round}/items/{item}/withdraw", {
      params: { path: { slug, tagging_round: round, item } },
      body: { seen_number: seenNumber },
    }),
  );
}
