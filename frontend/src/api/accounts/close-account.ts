/** Closes the account for good; its votes stay under a pseudonym. */
import { api, unwrap } from "../client";

export async function closeAccount(password: string): Promise<void> {
  await unwrap(api.POST("/api/account/close", { body: { password } }));
}
