/** What is being said of one item, until it is kept. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { RoundDetail, TaggedItem } from "../../api/schema";
import { ApiError } from "../../api/error";
import type { TaggingWork } from "./use-tagging";

export function useTagDraft(slug: string, item: TaggedItem, round: RoundDetail, work: TaggingWork) {
  const queryClient = useQueryClient();
  const [tags, setTags] = useState<readonly string[]>(item.current?.tags ?? []);
  const [isUnattributable, setUnattributable] = useState(item.current?.is_unattributable ?? false);
  const [note, setNote] = useState(item.current?.note ?? "");
  const mutation = useMutation({
    mutationFn: () =>
      work.keep(item, {
        tags: [...tags],
        is_unattributable: isUnattributable,
        note: note.trim(),
        seen_number: item.history[0]?.number ?? 0,
      }),
    onError: (error) => {
      if (error instanceof ApiError && error.kind === "conflict") {
        void queryClient.invalidateQueries({
          queryKey: read("/api/projects/{slug}/tagging/{tagging_round}/items/{item}", {
            slug,
            tagging_round: round.id,
            item: item.id,
          }).queryKey,
        });
      }
    },
  });
  const toggle = (tag: string) =>
    setTags((before) => {
      if (before.includes(tag)) return before.filter((other) => other !== tag);
      return round.several ? [...before, tag] : [tag];
    });
  const canSave = round.may_tag && (tags.length > 0 || isUnattributable);
  return {
    tags,
    note,
    isUnattributable,
    canSave,
    isSaving: mutation.isPending,
    error: mutation.error,
    toggle,
    acceptProposal: () => setTags(item.proposal?.tags ?? []),
    setNote,
    toggleUnattributable: () => setUnattributable((before) => !before),
    save: () => {
      if (canSave && !mutation.isPending) mutation.mutate();
    },
  };
}

export type TagDraft = ReturnType<typeof useTagDraft>;
