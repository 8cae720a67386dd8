/** The whole protocol in force, for leads. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function protocolQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "protocol"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/protocol", { params: { path: { slug } } })),
  });
}
