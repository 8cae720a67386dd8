/** Tries the failed part of a run again: all of it, or what shares one reason. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function retryRun(slug: string, id: string, reason: string | null = null): Promise<Run> {
  return unwrap(
    api.POST("/api/projects/{slug}/runs/{run_id}/retry", {
      params: { path: { slug, run_id: id } },
      body: { reason },
    }),
  );
}
