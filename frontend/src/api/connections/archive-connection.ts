/** Takes a connection out of use; its key is forgotten. */
import { api, unwrap } from "../client";
import type { Connection } from "../contract";

export async function archiveConnection(slug: string, id: string): Promise<Connection> {
  return unwrap(
    api.POST("/api/projects/{slug}/connections/{connection_id}/archive", {
      params: { path: { slug, connection_id: id } },
    }),
  );
}
