/** The methods paragraph of a study. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function methodsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "methods"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/methods", { params: { path: { slug } } })),
  });
}
