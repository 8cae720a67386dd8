/** Changes a project's own set of tags; one in use gets a next version. */
import { api, unwrap } from "../client";
import type { TagSet, TagSetDraft } from "../contract";

export async function changeTagSet(slug: string, { key, ...body }: TagSetDraft): Promise<TagSet> {
  return unwrap(api.PUT("/api/projects/{slug}/tag-sets/{key}", { params: { path: { slug, key } }, body }));
}
