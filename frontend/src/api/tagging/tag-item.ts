/** Says what an item is tagged with. */
import { api, unwrap } from "../client";
import type { TaggedItem, TaggingDraft } from "../contract";

export async function tagItem(
  slug: string,
  round: string,
  item: string,
  body: TaggingDraft,
): Promise<TaggedItem> {
  return unwrap(
    api.POST("/api/projects/{slug}/tagging/{tagging_round}/items/{item}/tags", {
      params: { path: { slug, tagging_round: round, item } },
      body,
    }),
  );
}
