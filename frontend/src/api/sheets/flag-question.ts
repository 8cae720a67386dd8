/** Tells the lead that something about the question deserves a look. */
import { api, unwrap } from "../client";
import type { FlagKind } from "../contract";

export async function flagQuestion(slug: string, id: string, kind: FlagKind, note: string): Promise<void> {
  const body = { kind, note };
  await unwrap(
    api.POST("/api/projects/{slug}/sheets/{sheet_id}/flags", {
      params: { path: { slug, sheet_id: id } },
      body,
    }),
  );
}
