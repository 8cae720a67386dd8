/** Joins a project; without a session an account is made on the way. */
import { api, unwrap } from "../client";
import type { InvitationAcceptance, Membership } from "../contract";

export async function acceptInvitation(token: string, body: InvitationAcceptance): Promise<Membership> {
  return unwrap(api.POST("/api/invitations/{token}/accept", { params: { path: { token } }, body }));
}
