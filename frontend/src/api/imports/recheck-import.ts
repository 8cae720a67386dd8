/** Checks the same files again with another form or mapping. */
import { api, unwrap } from "../client";
import type { Import } from "../contract";

export async function recheckImport(
  slug: string,
  id: string,
  body: { format?: string; options: Record<string, unknown> },
): Promise<Import> {
  return unwrap(
    api.POST("/api/projects/{slug}/imports/{id}/check", { params: { path: { slug, id } }, body }),
  );
}
