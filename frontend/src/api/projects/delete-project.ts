/** Deletes an archived project for good. */
import { api, unwrap } from "../client";

export async function deleteProject(slug: string, name: string): Promise<void> {
  await unwrap(api.POST("/api/projects/{slug}/delete", { params: { path: { slug } }, body: { name } }));
}
