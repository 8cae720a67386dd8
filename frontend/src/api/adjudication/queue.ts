/** The answers that are before the lead, and what they can be filtered by. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { QueueFilter } from "../contract";

export function queueQuery(slug: string, filter: QueueFilter) {
  return queryOptions({
    queryKey: ["project", slug, "queue", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/queue", { params: { path: { slug }, query: filter } })),
  });
}
