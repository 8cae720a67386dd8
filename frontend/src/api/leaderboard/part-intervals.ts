/** How sure one judge's figures are, part by part; takes longer than the figures. */
import { queryOptions } from "@tanstack/react-query";
import type { PartBy } from "../contract";
import { api, unwrap } from "../client";

export function partIntervalsQuery(slug: string, run: string, by: PartBy, common = false) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", run, "parts", by, "intervals", { common }],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/{run}/parts/intervals", {
          params: { path: { slug, run }, query: { by, common } },
        }),
      ),
  });
}
