/** Where the annotator stands in the training. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function trainingQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "training"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/training", { params: { path: { slug } } })),
  });
}
