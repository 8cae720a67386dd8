/** The changes of the gold list. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function ledgerQuery(slug: string, filter: { page?: number; question?: string }) {
  return queryOptions({
    queryKey: ["project", slug, "gold", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/gold", { params: { path: { slug }, query: filter } })),
  });
}
