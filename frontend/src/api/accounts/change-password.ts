/** Gives the account another password; other sessions end, and this one gets a new token. */
import { api, rememberCsrfToken, unwrap } from "../client";
import type { PasswordChange, Session } from "../contract";

export async function changePassword(body: PasswordChange): Promise<Session> {
  const session = await unwrap(api.POST("/api/account/password", { body }));
  rememberCsrfToken(session.csrf_token);
  return session;
}
