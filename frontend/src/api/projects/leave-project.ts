/** Takes oneself out of a project. */
import { api, unwrap } from "../client";

export async function leaveProject(slug: string): Promise<void> {
  await unwrap(api.POST("/api/projects/{slug}/leave", { params: { path: { slug } } }));
}
