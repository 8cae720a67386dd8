/** Puts another protocol in force. */
import { api, unwrap } from "../client";

export async function setProtocol(slug: string, spec: Record<string, unknown>): Promise<void> {
  await unwrap(api.PUT("/api/projects/{slug}/protocol", { params: { path: { slug } }, body: { spec } }));
}
