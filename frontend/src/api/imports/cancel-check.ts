/** Ends a check of files; they can be checked again. */
import { api, unwrap } from "../client";
import type { Import } from "../contract";

export async function cancelCheck(slug: string, id: string): Promise<Import> {
  return unwrap(api.POST("/api/projects/{slug}/imports/{id}/cancel", { params: { path: { slug, id } } }));
}
