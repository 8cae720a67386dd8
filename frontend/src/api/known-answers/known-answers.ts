/** The answers whose label the lead says is known. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function knownAnswersQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "known-answers"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/known-answers", { params: { path: { slug } } })),
  });
}
