/** Assay's prompts and the project's own, in all versions. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function promptsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "prompts"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/prompts", { params: { path: { slug } } })),
  });
}
