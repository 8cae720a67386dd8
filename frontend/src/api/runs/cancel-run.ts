/** Stops a run; what is judged stays. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function cancelRun(slug: string, id: string): Promise<Run> {
  return unwrap(
    api.POST("/api/projects/{slug}/runs/{run_id}/cancel", { params: { path: { slug, run_id: id } } }),
  );
}
