/** Makes an empty project that is judged as this one is. */
import { api, unwrap } from "../client";

export async function copyProject(slug: string, name: string): Promise<{ slug: string }> {
  return unwrap(api.POST("/api/projects/{slug}/copy", { params: { path: { slug } }, body: { name } }));
}
