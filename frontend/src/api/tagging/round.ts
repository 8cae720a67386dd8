/** One tagging round with its tags and items. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function roundQuery(slug: string, round: string) {
  return queryOptions({
    queryKey: ["project", slug, "tagging", round],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/tagging/{tagging_round}", {
          params: { path: { slug, tagging_round: round } },
        }),
      ),
  });
}
