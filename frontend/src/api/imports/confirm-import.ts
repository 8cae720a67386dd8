/** Stores what the check found. */
import { api, unwrap } from "../client";
import type { Import } from "../contract";

export async function confirmImport(slug: string, id: string): Promise<Import> {
  return unwrap(api.POST("/api/projects/{slug}/imports/{id}/confirm", { params: { path: { slug, id } } }));
}
