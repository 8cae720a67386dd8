/** The systems whose answers are judged. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function systemsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "systems"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/systems", { params: { path: { slug } } })),
  });
}
