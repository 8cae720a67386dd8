/** Which questions people judge. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function sampleQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "sample"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/sample", { params: { path: { slug } } })),
  });
}
