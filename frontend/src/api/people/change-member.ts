/** Changes a member's role or state. */
import { api, unwrap } from "../client";
import type { Member, Role } from "../contract";

export async function changeMember(
  slug: string,
  id: string,
  body: { role?: Role; state?: string },
): Promise<Member> {
  return unwrap(api.PATCH("/api/projects/{slug}/members/{id}", { params: { path: { slug, id } }, body }));
}
