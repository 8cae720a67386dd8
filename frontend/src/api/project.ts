/** One project as its members see it. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "./client";
import type { ProjectDetail } from "./schema";

export function projectQuery(slug: string) {
  return { ...read("/api/projects/{slug}", { slug }), staleTime: 30_000 };
}

/** The pages of a project that viewers may open (decision 0060), beside one for each answer. */
const VIEWERS_PAGES: ReadonlySet<string> = new Set([
  "overview",
  "agreement",
  "leaderboard",
  "leaderboard/amendments",
  "leaderboard/datasets",
  "leaderboard/systems",
  "runs/board",
  "failures",
  "failures/board",
  "failures/sets",
  "answers",
  "gold",
  "export",
]);

export function isForViewers(page: string): boolean {
  return VIEWERS_PAGES.has(page) || page.startsWith("answers/");
}

/** Whether the reader may open a page of the project; only viewers meet links to pages that they may not. */
export function useMayOpen(): (page: string) => boolean {
  const { slug } = useParams({ strict: false });
  // A page has read the project before it shows a link; a link alone reads nothing.
  const role = useQuery({ ...projectQuery(slug ?? ""), enabled: false }).data?.role;
  return (page) => role !== "viewer" || isForViewers(page);
}

/** The project the address names; only inside a project's pages. */
export function useProject(): ProjectDetail {
  const { slug } = useParams({ strict: false });
  return useSuspenseQuery(projectQuery(slug ?? "")).data;
}
