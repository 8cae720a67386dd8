/** Where the operator of the server lets connections lead. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function allowedHostsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "allowed-hosts"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/allowed-hosts", { params: { path: { slug } } })),
  });
}
