/** Opens a session with name and password. */
import { api, unwrap } from "../client";
import type { Credentials, Session } from "../contract";
import { enterSession } from "./session";

export async function signIn(credentials: Credentials): Promise<Session> {
  return enterSession(await unwrap(api.POST("/api/session", { body: credentials })));
}
