/** A project's tagging rounds, newest first, with the judges and people a new one may name. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function roundsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "tagging"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/tagging", { params: { path: { slug } } })),
  });
}
