/** Archives a project, or opens it again. */
import { api, unwrap } from "../client";
import type { Project } from "../contract";

export async function setProjectState(slug: string, state: Project["state"]): Promise<void> {
  await unwrap(api.PATCH("/api/projects/{slug}", { params: { path: { slug } }, body: { state } }));
}
