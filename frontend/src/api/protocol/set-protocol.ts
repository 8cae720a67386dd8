/** Puts another protocol in force; refused where somebody changed the one it was made from. */
import { api, unwrap } from "../client";
import type { ProtocolVersion } from "../contract";

export async function setProtocol(
  slug: string,
  spec: Record<string, unknown>,
  seenHash: string,
): Promise<ProtocolVersion> {
  const body = { spec, seen_hash: seenHash };
  return unwrap(api.PUT("/api/projects/{slug}/protocol", { params: { path: { slug } }, body }));
}
