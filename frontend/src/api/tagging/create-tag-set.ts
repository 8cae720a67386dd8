/** Makes a set of tags of the project's own. */
import { api, unwrap } from "../client";
import type { TagSet, TagSetDraft } from "../contract";

export async function createTagSet(slug: string, body: TagSetDraft): Promise<TagSet> {
  return unwrap(api.POST("/api/projects/{slug}/tag-sets", { params: { path: { slug } }, body }));
}
