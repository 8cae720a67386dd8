/** Changes the name that others see, or the language of the pages. */
import { api, unwrap } from "../client";
import type { User } from "../contract";

type AccountChange = Partial<Pick<User, "name" | "language">>;

export async function changeAccount(body: AccountChange): Promise<User> {
  return unwrap(api.PATCH("/api/account", { body }));
}
