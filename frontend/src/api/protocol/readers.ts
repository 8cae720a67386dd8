/** Who has read which version of the guidelines, for leads. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function readersQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "protocol", "readers"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/protocol/readers", { params: { path: { slug } } })),
  });
}
