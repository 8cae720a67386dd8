/** How many items a tagging round would draw from. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { RoundFilter } from "../contract";

export function roundPreviewQuery(slug: string, set: string, filter: RoundFilter) {
  return queryOptions({
    queryKey: ["project", slug, "tagging-preview", set, filter],
    queryFn: () =>
      unwrap(
        api.POST("/api/projects/{slug}/tagging/preview", {
          params: { path: { slug } },
          body: { set, filter },
        }),
      ),
  });
}
