/** One project as its members see it. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "./client";
import type { ProjectDetail } from "./schema";

export function projectQuery(slug: string) {
  return { ...read("/api/projects/{slug}", { slug }), staleTime: 30_000 };
}

/** The project the address names; only inside a project's pages. */
export function useProject(): ProjectDetail {
  const { slug } = useParams({ strict: false });
  return useSuspenseQuery(projectQuery(slug ?? "")).data;
}
