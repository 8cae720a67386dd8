/** Settles what the saved policy leaves to machines. */
import { api, unwrap } from "../client";
import type { PolicyApplication } from "../contract";

export async function applyPolicy(slug: string): Promise<PolicyApplication> {
  return unwrap(api.POST("/api/projects/{slug}/prejudging/apply", { params: { path: { slug } } }));
}
