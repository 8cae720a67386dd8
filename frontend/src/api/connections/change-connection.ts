/** Changes a connection; a new address asks for the key again. */
import { api, unwrap } from "../client";
import type { Connection, ConnectionRequest } from "../contract";

export async function changeConnection(
  slug: string,
  id: string,
  body: ConnectionRequest,
): Promise<Connection> {
  return unwrap(
    api.PATCH("/api/projects/{slug}/connections/{connection_id}", {
      params: { path: { slug, connection_id: id } },
      body,
    }),
  );
}
