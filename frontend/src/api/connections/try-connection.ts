/** Makes one tiny call to see whether a connection works. */
import { api, unwrap } from "../client";
import type { Trial } from "../contract";

export async function tryConnection(slug: string, id: string): Promise<Trial> {
  return unwrap(
    api.POST("/api/projects/{slug}/connections/{connection_id}/test", {
      params: { path: { slug, connection_id: id } },
    }),
  );
}
