/** Something done to a run: what it comes to is read anew, a refusal is said. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf } from "../../api/client";
import type { Run } from "../../api/schema";
import { messageOf } from "../../api/error";
import { useToast } from "../../components/toast";

export function useRunAction(slug: string, act: () => Promise<Run>) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: act,
    onError: (error: unknown) => toast({ text: messageOf(error), tone: "error" }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/runs", { slug }) }),
  });
}
