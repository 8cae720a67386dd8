/** Says what a protocol would mean for work done; nothing is changed. */
import { api, unwrap } from "../client";
import type { ProtocolChange } from "../contract";

export async function foreseeProtocol(slug: string, spec: Record<string, unknown>): Promise<ProtocolChange> {
  return unwrap(
    api.POST("/api/projects/{slug}/protocol/foresee", { params: { path: { slug } }, body: { spec } }),
  );
}
