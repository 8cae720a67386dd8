/** The protocol's versions, the newest first. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function protocolVersionsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "protocol", "versions"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/protocol/versions", { params: { path: { slug } } })),
  });
}
