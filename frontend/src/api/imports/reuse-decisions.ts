/** Takes another project's decisions over. */
import { api, unwrap } from "../client";
import type { Reuse } from "../contract";

export async function reuseDecisions(slug: string, project: string): Promise<Reuse> {
  return unwrap(api.POST("/api/projects/{slug}/reuse", { params: { path: { slug } }, body: { project } }));
}
