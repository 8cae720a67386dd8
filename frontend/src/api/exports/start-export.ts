/** Has a file made. */
import { api, unwrap } from "../client";
import type { Export } from "../contract";

export async function startExport(slug: string, format: string): Promise<Export> {
  return unwrap(api.POST("/api/projects/{slug}/exports", { params: { path: { slug } }, body: { format } }));
}
