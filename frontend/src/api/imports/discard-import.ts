/** Forgets an import that was never confirmed. */
import { api, unwrap } from "../client";

export async function discardImport(slug: string, id: string): Promise<void> {
  await unwrap(api.DELETE("/api/projects/{slug}/imports/{id}", { params: { path: { slug, id } } }));
}
