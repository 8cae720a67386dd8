/** Lets a paused run go on, under this limit; null for none. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function resumeRun(slug: string, id: string, spendCapUsd: string | null): Promise<Run> {
  return unwrap(
    api.POST("/api/projects/{slug}/runs/{run_id}/resume", {
      params: { path: { slug, run_id: id } },
      body: { spend_cap: spendCapUsd },
    }),
  );
}
