/** Judges what a sample left. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function continueRun(slug: string, id: string): Promise<Run> {
  return unwrap(
    api.POST("/api/projects/{slug}/runs/{run_id}/continue", { params: { path: { slug, run_id: id } } }),
  );
}
