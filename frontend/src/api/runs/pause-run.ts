/** Pauses a run; what is in hand is finished. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function pauseRun(slug: string, id: string): Promise<Run> {
  return unwrap(
    api.POST("/api/projects/{slug}/runs/{run_id}/pause", { params: { path: { slug, run_id: id } } }),
  );
}
