/** The guidelines beside the work, and those that are to be read before it goes on. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Desk } from "./desk";
import { keyOf, post, read } from "../../api/client";
import type { DeskState } from "./desk-state";

export function useGuidelines(slug: string, desk: Desk, { guidelinesUnread: unread }: DeskState) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const guidelines = read("/api/projects/{slug}/guidelines", { slug });
  const reading = useQuery({
    ...guidelines,
    // What a reply asked to be read is fetched anew.
    queryKey: [...guidelines.queryKey, unread],
    gcTime: 0,
    enabled: unread !== "",
  });
  const keep = useMutation({
    mutationFn: async (seenHash: string) => {
      // What was judged before belongs to the guidelines known before.
      await desk.flush();
      await post("/api/projects/{slug}/guidelines", { slug }, { seen_hash: seenHash });
    },
    onSuccess: () => {
      setOpen(false);
      void desk.markGuidelinesRead();
      // The labels may have changed with them.
      void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    },
    onError: () => void reading.refetch(),
  });
  const confirm = () => {
    if (reading.data && !keep.isPending) keep.mutate(reading.data.hash);
  };
  const mustRead = unread !== "";
  return {
    mustRead,
    reading,
    isKeeping: keep.isPending,
    problem: keep.error,
    confirm,
    isOpen: isOpen && !mustRead,
    close: () => setOpen(false),
    /** The same key opens and closes them, and says that they were read. */
    act: () => (mustRead ? confirm() : setOpen(!isOpen)),
  };
}

export type GuidelinesState = ReturnType<typeof useGuidelines>;
