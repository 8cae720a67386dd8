/** Opens a session with name and password. */
import { api, rememberCsrfToken, unwrap } from "../client";
import type { Credentials, Session } from "../contract";

export async function signIn(credentials: Credentials): Promise<Session> {
  const session = await unwrap(api.POST("/api/session", { body: credentials }));
  rememberCsrfToken(session.csrf_token);
  return session;
}
