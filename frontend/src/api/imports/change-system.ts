/** Changes what pages call a system, or how it is described. */
import { api, unwrap } from "../client";
import type { System, SystemChange } from "../contract";

export async function changeSystem(slug: string, id: string, body: SystemChange): Promise<System> {
  return unwrap(api.PATCH("/api/projects/{slug}/systems/{id}", { params: { path: { slug, id } }, body }));
}
