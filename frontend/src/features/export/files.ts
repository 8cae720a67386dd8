/** What the page knows of the project’s files. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import type { Export } from "../../api/schema";

const ASK_AGAIN_AFTER = 1_000;
const IN_WORK: readonly string[] = ["queued", "running"];

export function isInWork({ state }: Pick<Export, "state">): boolean {
  return IN_WORK.includes(state);
}

export function addressOf({ id }: Pick<Export, "id">): string {
  return `/api/exports/${id}/download`;
}

export function useFiles() {
  const { slug } = useProject();
  return useQuery({
    ...read("/api/projects/{slug}/exports", { slug }),
    refetchInterval: ({ state }) => (state.data?.some(isInWork) ? ASK_AGAIN_AFTER : false),
  });
}
