/** One project as its members see it. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, unwrap } from "../client";
import type { Project } from "../contract";

export function projectQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}", { params: { path: { slug } } })),
    staleTime: 30_000,
  });
}

/** The project the address names; only inside a project's pages. */
export function useProject(): Project {
  const { slug } = useParams({ strict: false });
  return useSuspenseQuery(projectQuery(slug ?? "")).data;
}
