/** Takes back the last sheet handed in; it comes back first, with its answers as draft. */
import { api, unwrap } from "../client";
import type { Work } from "../contract";

export async function undoSheet(slug: string, ahead: number): Promise<Work> {
  return unwrap(
    api.POST("/api/projects/{slug}/sheets/undo", { params: { path: { slug } }, body: { ahead } }),
  );
}
