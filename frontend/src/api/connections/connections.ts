/** The connections of a project that are in use. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function connectionsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "connections"],
    queryFn: async () => {
      const all = await unwrap(api.GET("/api/projects/{slug}/connections", { params: { path: { slug } } }));
      return all.filter(({ archived_at }) => archived_at === null);
    },
  });
}
