/** Changes a project's name or description. */
import { api, unwrap } from "../client";

export async function changeProject(
  slug: string,
  body: { readonly name: string; readonly description: string },
): Promise<void> {
  await unwrap(api.PATCH("/api/projects/{slug}", { params: { path: { slug } }, body }));
}
