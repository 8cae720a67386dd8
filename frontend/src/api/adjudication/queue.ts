/** The answers that wait for a decision. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { WaitingReason } from "../contract";

export function queueQuery(slug: string, reason?: WaitingReason) {
  return queryOptions({
    queryKey: ["project", slug, "queue", reason ?? "all"],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/queue", {
          params: { path: { slug }, query: reason === undefined ? {} : { reason } },
        }),
      ),
  });
}
