/** How sure judges' figures are; takes longer than the figures. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgeIntervalsQuery(slug: string, common = false) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", "intervals", { common }],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/intervals", {
          params: { path: { slug }, query: { common } },
        }),
      ),
  });
}
