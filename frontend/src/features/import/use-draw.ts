/** Draws the questions that people judge, and says how many these are. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SampleRequest } from "../../api/contract";
import { drawSample } from "../../api/imports/draw-sample";
import { useToast } from "../../components/toast";
import { countOf } from "../../lib/numbers";

export function useDraw(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: SampleRequest) => drawSample(slug, body),
    onSuccess: (sample) => {
      toast({ text: `People now judge ${countOf(sample.sampled, "question")}.` });
      void queryClient.invalidateQueries({ queryKey: ["project", slug] });
    },
  });
}
