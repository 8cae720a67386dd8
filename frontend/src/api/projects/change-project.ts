/** Changes a project's name, description or, while there are no answers, their cleaning. */
import { api, unwrap } from "../client";
import type { Project } from "../contract";

export async function changeProject(
  slug: string,
  body: Pick<Project, "name" | "description" | "cleaning">,
): Promise<void> {
  await unwrap(api.PATCH("/api/projects/{slug}", { params: { path: { slug } }, body }));
}
