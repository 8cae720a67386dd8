/** Makes a link for one person; the reply holds it for the only time. */
import { api, unwrap } from "../client";
import type { Role, SentInvitation } from "../contract";

export async function invite(
  slug: string,
  body: { role: Role; label: string; group: string; expires_in_days: number },
): Promise<SentInvitation> {
  return unwrap(api.POST("/api/projects/{slug}/invitations", { params: { path: { slug } }, body }));
}
