/** The pre-judging policy, the runs it may name, and what was applied so far. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function policyQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "prejudging"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/prejudging", { params: { path: { slug } } })),
  });
}
