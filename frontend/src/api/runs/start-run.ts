/** Sets a judge to work. */
import { api, unwrap } from "../client";
import type { Run, RunStart } from "../contract";

export async function startRun(slug: string, body: RunStart): Promise<Run> {
  return unwrap(api.POST("/api/projects/{slug}/runs", { params: { path: { slug } }, body }));
}
