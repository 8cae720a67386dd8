/** Guidelines as raters will see them; nothing is kept. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function guidelinesPreviewQuery(slug: string, text: string) {
  return queryOptions({
    queryKey: ["guidelines-preview", slug, text],
    queryFn: () =>
      unwrap(
        api.POST("/api/projects/{slug}/protocol/guidelines-preview", {
          params: { path: { slug } },
          body: { text },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}
