/** The decision on one answer while it is made: label, why, and sending it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { DecisionCategory, QueueDetail } from "../../api/contract";
import { ApiError } from "../../api/error";
import { labelName } from "../../lib/labels";
import { seenNumber } from "./seen-number";
import { nextOpen } from "./stable-queue";
import type { LastDecision } from "./use-last-decision";
import type { QueueWork } from "./use-queue";

export function useDecision(slug: string, detail: QueueDetail, work: QueueWork, last: LastDecision) {
  const queryClient = useQueryClient();
  const [label, setLabel] = useState<string | null>(null);
  const [category, setCategory] = useState<DecisionCategory | null>(null);
  const [reason, setReason] = useState("");
  const [isShown, setShown] = useState(false);
  const mutation = useMutation({
    mutationFn: (chosen: string) =>
      post(
        "/api/projects/{slug}/answers/{candidate}/decision",
        { slug, candidate: detail.id },
        {
          label: chosen,
          reason: reason.trim(),
          category: category ?? "",
          is_reason_shown: isShown,
          seen_number: seenNumber(detail),
        },
      ),
    onSuccess: (after, chosen) => {
      queryClient.setQueryData(
        read(
          "/api/projects/{slug}/queue/{candidate}",
          { slug, candidate: detail.id },
          work.systems === undefined ? {} : { systems: work.systems },
        ).queryKey,
        after,
      );
      work.decided([detail.id], chosen);
      last.made({ answer: detail.id }, `Decided: ${labelName(chosen)}.`, {
        // Nothing else to go on to: it stays in front, and its notice has the way back.
        isInFront: nextOpen(work.lines, detail.id) === null,
      });
      void queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/queue", { slug }),
        refetchType: "none",
      });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.kind === "conflict") {
        void queryClient.invalidateQueries({
          queryKey: keyOf("/api/projects/{slug}/queue/{candidate}", { slug, candidate: detail.id }),
        });
      }
    },
  });
  const isReady = label !== null && (category !== null || reason.trim() !== "");
  return {
    label,
    category,
    reason,
    isReady,
    isSending: mutation.isPending,
    error: mutation.error,
    isShown,
    setLabel,
    setReason,
    setShown,
    toggleCategory: (value: DecisionCategory) => setCategory((before) => (before === value ? null : value)),
    send: () => {
      if (isReady && !mutation.isPending) mutation.mutate(label);
    },
  };
}
