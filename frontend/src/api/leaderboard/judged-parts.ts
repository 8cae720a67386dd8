/** One judge against people, part by part of the study. */
import { queryOptions } from "@tanstack/react-query";
import type { PartBy } from "../contract";
import { api, unwrap } from "../client";

export function judgedPartsQuery(slug: string, run: string, by: PartBy, common = false) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", run, "parts", by, { common }],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/{run}/parts", {
          params: { path: { slug, run }, query: { by, common } },
        }),
      ),
  });
}
