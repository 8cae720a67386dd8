/** Sets a new password by the link that the operator made. */
import { api, unwrap } from "../client";

export async function setPasswordByLink(token: string, password: string): Promise<void> {
  await unwrap(api.POST("/api/password-links/{token}", { params: { path: { token } }, body: { password } }));
}
