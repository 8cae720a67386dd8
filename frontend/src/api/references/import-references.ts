/** Reads published numbers from a CSV file: to look at them, or to keep all of them. */
import { api, unwrap } from "../client";
import type { ReferencesRead } from "../contract";

export async function importReferences(
  slug: string,
  body: { readonly content: string; readonly is_dry_run: boolean },
): Promise<ReferencesRead> {
  return unwrap(
    api.POST("/api/projects/{slug}/reference-scores/import", { params: { path: { slug } }, body }),
  );
}
