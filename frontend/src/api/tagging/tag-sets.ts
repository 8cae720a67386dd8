/** The sets of tags a project may use: those of the papers, then its own. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function tagSetsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "tag-sets"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/tag-sets", { params: { path: { slug } } })),
  });
}
