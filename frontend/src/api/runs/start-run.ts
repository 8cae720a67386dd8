/** Sets a judge to work. */
import { api, unwrap } from "../client";
import type { Run } from "../contract";

export async function startRun(
  slug: string,
  body: { judge: string; options: Record<string, unknown> },
): Promise<Run> {
  return unwrap(api.POST("/api/projects/{slug}/runs", { params: { path: { slug } }, body }));
}
