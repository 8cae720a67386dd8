/** A page of the project's answers. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function answersQuery(slug: string, filter: { search?: string; state?: string; page?: number }) {
  return queryOptions({
    queryKey: ["project", slug, "answers", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/answers", { params: { path: { slug }, query: filter } })),
  });
}
