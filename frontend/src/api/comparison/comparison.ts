/** Several projects in one table. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function comparisonQuery(slugs: readonly string[]) {
  return queryOptions({
    queryKey: ["comparison", slugs],
    queryFn: () => unwrap(api.GET("/api/comparison", { params: { query: { projects: slugs.join(",") } } })),
    enabled: slugs.length > 0,
    // The table stays while one more project is read.
    placeholderData: keepPreviousData,
  });
}
