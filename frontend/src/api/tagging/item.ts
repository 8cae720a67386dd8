/** One item of a tagging round, with everything a tag rests on. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function itemQuery(slug: string, round: string, item: string) {
  return queryOptions({
    queryKey: ["project", slug, "tagged-item", round, item],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/tagging/{tagging_round}/items/{item}", {
          params: { path: { slug, tagging_round: round, item } },
        }),
      ),
  });
}
