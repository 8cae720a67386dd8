/** Changes the name that others see. */
import { api, unwrap } from "../client";
import type { User } from "../contract";

export async function changeAccount(body: { readonly name: string }): Promise<User> {
  return unwrap(api.PATCH("/api/account", { body }));
}
