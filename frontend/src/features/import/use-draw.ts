/** Draws the questions that people judge, and says how many these are. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf, post } from "../../api/client";
import type { SampleRequest } from "../../api/contract";
import { useToast } from "../../components/toast";
import { countOf } from "../../lib/numbers";

export function useDraw(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: SampleRequest) => post("/api/projects/{slug}/sample", { slug }, body),
    onSuccess: (sample) => {
      toast({ text: `People now judge ${countOf(sample.sampled, "question")}.` });
      void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    },
  });
}
