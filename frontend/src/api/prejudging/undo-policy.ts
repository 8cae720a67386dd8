/** Gives back to raters what an application settled, or what one rule of it did. */
import { api, unwrap } from "../client";
import type { PolicyApplication } from "../contract";

interface Undoing {
  readonly application: string;
  readonly rule: number | null;
  readonly reason: string;
}

export async function undoPolicy(slug: string, body: Undoing): Promise<PolicyApplication> {
  return unwrap(api.POST("/api/projects/{slug}/prejudging/undo", { params: { path: { slug } }, body }));
}
