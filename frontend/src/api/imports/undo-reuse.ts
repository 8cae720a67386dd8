/** Gives back to raters what was taken over from another project. */
import { api } from "../client";

export async function undoReuse(slug: string, project: string, reason: string): Promise<void> {
  await api.POST("/api/projects/{slug}/reuse/undo", {
    params: { path: { slug } },
    body: { project, reason },
  });
}
