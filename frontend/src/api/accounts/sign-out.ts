/** Ends the session. */
import { api, unwrap } from "../client";

export async function signOut(): Promise<void> {
  await unwrap(api.DELETE("/api/session"));
}
