/** What runs are called, asked for only where an address names one. */
import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects/project";
import { runsQuery } from "../../api/runs/runs";

/** Until it is known, and for those who may not list runs, it is "the judge". */
export function useRunNames(named: readonly (string | undefined)[]): (run: string) => string {
  const { slug, role } = useProject();
  const isNamed = named.some((each) => each !== undefined && each !== "people");
  const { data } = useQuery({ ...runsQuery(slug), enabled: isNamed && role === "lead" });
  return (run) => data?.find(({ id }) => id === run)?.name ?? "the judge";
}
