/** Makes a project; its maker becomes its lead. */
import { api, unwrap } from "../client";
import type { ProjectDraft } from "../contract";

export async function createProject(body: ProjectDraft): Promise<{ slug: string }> {
  return unwrap(api.POST("/api/projects", { body }));
}
