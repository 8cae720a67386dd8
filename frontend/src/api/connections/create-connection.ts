/** Connects a model. */
import { api, unwrap } from "../client";
import type { Connection, ConnectionRequest } from "../contract";

export async function createConnection(slug: string, body: ConnectionRequest): Promise<Connection> {
  return unwrap(api.POST("/api/projects/{slug}/connections", { params: { path: { slug } }, body }));
}
