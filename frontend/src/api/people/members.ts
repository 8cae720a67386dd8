/** The people of a project, for its leads. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function membersQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "members"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/members", { params: { path: { slug } } })),
  });
}
