/** One answer with its whole history. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function answerQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: ["project", slug, "answer", id],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/answers/{candidate}", { params: { path: { slug, candidate: id } } }),
      ),
  });
}
