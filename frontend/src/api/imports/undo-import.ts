/** Takes a whole import back. */
import { api, unwrap } from "../client";
import type { Import } from "../contract";

export async function undoImport(slug: string, id: string): Promise<Import> {
  return unwrap(api.POST("/api/projects/{slug}/imports/{id}/undo", { params: { path: { slug, id } } }));
}
