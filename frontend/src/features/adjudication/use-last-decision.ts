/** The last decision made on this page, one or a group together, and taking it back. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { keyOf, post, read } from "../../api/client";
import type { TakeBackDraft } from "../../api/contract";
import { messageOf } from "../../api/error";
import { useToast } from "../../components/toast";
import type { QueueWork } from "./use-queue";

interface Done {
  readonly what: TakeBackDraft;
  /** What is said when it is taken back. */
  readonly undone: string;
}

interface Making {
  readonly undone?: string;
  readonly isInFront?: boolean;
}

export function useLastDecision(slug: string, work: QueueWork) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const last = useRef<Done | null>(null);
  const undo = async () => {
    if (last.current === null) {
      toast({ text: "Nothing was decided on this page yet." });
      return;
    }
    try {
      const { answers } = await post("/api/projects/{slug}/queue/take-back", { slug }, last.current.what);
      const several = `${answers.length} decisions taken back.`;
      toast({ text: answers.length > 1 ? several : last.current.undone });
      last.current = null;
      work.reopened(answers);
    } catch (error) {
      toast({ text: messageOf(error), tone: "error" });
    }
    void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/queue", { slug }) });
  };
  /** `isInFront`: the page itself offers the way back, so that the note need not. */
  const made = (what: TakeBackDraft, text: string, { undone, isInFront }: Making = {}) => {
    last.current = { what, undone: undone ?? "Decision taken back." };
    toast({ text, ...(isInFront ? {} : { action: { name: "Take back", run: () => void undo() } }) });
    // The list alone: what is open in front is as it was decided.
    void queryClient.invalidateQueries({ queryKey: read("/api/projects/{slug}/queue", { slug }).queryKey });
  };
  return { made, undo };
}

export type LastDecision = ReturnType<typeof useLastDecision>;
