/** Gives the account another password; other sessions end, and this one gets a new token. */
import { api, unwrap } from "../client";
import type { PasswordChange, Session } from "../contract";
import { enterSession } from "./session";

export async function changePassword(body: PasswordChange): Promise<Session> {
  return enterSession(await unwrap(api.POST("/api/account/password", { body })));
}
