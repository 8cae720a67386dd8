/** Everything a person needs to decide one answer. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function queueAnswerQuery(slug: string, candidate: string, systems?: boolean) {
  return queryOptions({
    queryKey: ["project", slug, "queue-answer", candidate, systems ?? null],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/queue/{candidate}", {
          params: { path: { slug, candidate }, query: systems === undefined ? {} : { systems } },
        }),
      ),
  });
}
