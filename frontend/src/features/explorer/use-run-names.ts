/** What runs are called, asked for only where an address names one. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";

/** Until it is known it is "the judge". Adjudicators may not list runs; what judges are called they read. */
export function useRunNames(named: readonly (string | undefined)[]): (run: string) => string {
  const { slug, role } = useProject();
  const isNamed = named.some((each) => each !== undefined && each !== "people");
  const { data: runs } = useQuery({
    ...read("/api/projects/{slug}/runs", { slug }),
    enabled: isNamed && role === "lead",
  });
  const { data: judges } = useQuery({
    ...read("/api/projects/{slug}/judge-board", { slug }, { common: false }),
    enabled: isNamed && role !== "lead",
  });
  const nameOf = (id: string) =>
    runs?.find((run) => run.id === id)?.name ?? judges?.find(({ run }) => run === id)?.name;
  return (run) => nameOf(run) ?? "the judge";
}
