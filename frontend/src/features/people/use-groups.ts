/** The groups of systems a project has, each of which has a rater of its own; none in most projects. */
import { read } from "../../api/client";
import { useQuery } from "@tanstack/react-query";

export const ALL_GROUPS = "All groups";

export function useGroups(slug: string): readonly string[] {
  const { data } = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const groups = (data ?? []).map((system) => system.group).filter((group) => group !== "");
  return [...new Set(groups)].sort();
}

/** Choices of a field: every group, the one chosen even if no system is in it any more. */
export function groupOptions(groups: readonly string[], chosen = ""): { value: string; name: string }[] {
  const names = chosen === "" || groups.includes(chosen) ? groups : [...groups, chosen];
  return [{ value: "", name: ALL_GROUPS }, ...names.map((name) => ({ value: name, name }))];
}
