/** Changes a member's role or state. */
import { api, unwrap } from "../client";
import type { Member, MemberChange } from "../contract";

export async function changeMember(slug: string, id: string, body: MemberChange): Promise<Member> {
  return unwrap(
    api.PATCH("/api/projects/{slug}/members/{member_id}", {
      params: { path: { slug, member_id: id } },
      body,
    }),
  );
}
