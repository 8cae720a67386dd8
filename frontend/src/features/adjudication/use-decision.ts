/** The decision on one answer while it is made: label, why, and sending it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { decide } from "../../api/adjudication/decide";
import { queueAnswerQuery } from "../../api/adjudication/queue-answer";
import { reopen } from "../../api/adjudication/reopen";
import type { DecisionCategory, QueueDetail } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { useToast } from "../../components/toast";
import { labelName } from "../../lib/labels";
import type { QueueWork } from "./use-queue";

const TAKEN_BACK = "Taken back right after it was made.";

function useTakeBack(slug: string, id: string, work: QueueWork) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return async () => {
    try {
      await reopen(slug, id, TAKEN_BACK);
      void queryClient.invalidateQueries({ queryKey: ["project", slug, "queue-answer", id] });
      work.reopened(id);
    } catch (error) {
      toast({ text: messageOf(error), tone: "error" });
    }
  };
}

export function useDecision(slug: string, detail: QueueDetail, work: QueueWork) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const takeBack = useTakeBack(slug, detail.id, work);
  const [label, setLabel] = useState<string | null>(null);
  const [category, setCategory] = useState<DecisionCategory | null>(null);
  const [reason, setReason] = useState("");
  const mutation = useMutation({
    mutationFn: (chosen: string) =>
      decide(slug, detail.id, {
        label: chosen,
        reason: reason.trim(),
        category: category ?? "",
        seen_number: detail.history.reduce((last, { number }) => Math.max(last, number), 0),
      }),
    onSuccess: (after, chosen) => {
      queryClient.setQueryData(queueAnswerQuery(slug, detail.id, work.systems).queryKey, after);
      toast({
        text: `Decided: ${labelName(chosen)}.`,
        action: { name: "Take back", run: () => void takeBack() },
      });
      work.decided(detail.id, chosen);
      void queryClient.invalidateQueries({ queryKey: ["project", slug, "queue"] });
      void queryClient.invalidateQueries({
        queryKey: ["project", slug, "queue-answer"],
        refetchType: "none",
      });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.kind === "conflict") {
        void queryClient.invalidateQueries({ queryKey: ["project", slug, "queue-answer", detail.id] });
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
    setLabel,
    setReason,
    toggleCategory: (value: DecisionCategory) => setCategory((before) => (before === value ? null : value)),
    send: () => {
      if (isReady && !mutation.isPending) mutation.mutate(label);
    },
  };
}
