/** Makes a link useless. */
import { api, unwrap } from "../client";

export async function revokeInvitation(slug: string, id: string): Promise<void> {
  await unwrap(
    api.DELETE("/api/projects/{slug}/invitations/{invitation_id}", {
      params: { path: { slug, invitation_id: id } },
    }),
  );
}
