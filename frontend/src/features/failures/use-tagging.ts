/** A round as one person works through it: the item under the hand, keeping, and taking back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keyOf, post, read } from "../../api/client";
import { ApiError, messageOf } from "../../api/error";
import type { RoundDetail, RoundItem, TaggedItem, TagItemRequest } from "../../api/schema";
import { useToast } from "../../components/toast";
import { useSearchState } from "../../lib/search-state";
import { neighborOf, nextOpen, withTags } from "./round-form";

/** What this person said last of an item; whatever somebody said after that is not taken back with it. */
interface Kept {
  readonly id: string;
  readonly number: number;
}

export function useTagging(slug: string, round: RoundDetail) {
  const search = useSearchState();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [kept, setKept] = useState<readonly Kept[]>([]);
  const { items } = round;
  const chosen = search.read("item");
  const current =
    items.find(({ id }) => id === chosen) ?? items.find(({ is_done: isDone }) => !isDone) ?? items[0] ?? null;
  const select = (item: RoundItem | null) => {
    if (item) search.write({ item: item.id });
  };
  const following = current && (nextOpen(items, current.id) ?? neighborOf(items, current.id, 1));
  useEffect(() => {
    // The next one is there before the eye arrives.
    if (following) void queryClient.prefetchQuery(readItem(slug, round.id, following.id));
  }, [queryClient, slug, round.id, following]);
  const remember = (item: TaggedItem) => {
    const { queryKey } = read("/api/projects/{slug}/tagging/{tagging_round}", {
      slug,
      tagging_round: round.id,
    });
    queryClient.setQueryData(readItem(slug, round.id, item.id).queryKey, item);
    queryClient.setQueryData<RoundDetail>(queryKey, (before) => before && withTags(before, item));
    void queryClient.invalidateQueries({ queryKey: read("/api/projects/{slug}/tagging", { slug }).queryKey });
    if (round.proposals !== "none") {
      // Its comparison with people is counted by the server.
      void queryClient.invalidateQueries({ queryKey });
    }
    void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/failure-board", { slug }) });
  };
  const keep = async (item: TaggedItem, draft: TagItemRequest) => {
    remember(
      await post(
        "/api/projects/{slug}/tagging/{tagging_round}/items/{item}/tags",
        { slug, tagging_round: round.id, item: item.id },
        draft,
      ),
    );
    setKept((before) => [...before, { id: item.id, number: draft.seen_number + 1 }]);
    select(nextOpen(items, item.id));
  };
  const undo = async () => {
    const last = kept.at(-1);
    if (last === undefined) return;
    try {
      remember(
        await post(
          "/api/projects/{slug}/tagging/{tagging_round}/items/{item}/withdraw",
          { slug, tagging_round: round.id, item: last.id },
          { seen_number: last.number },
        ),
      );
      setKept((before) => before.slice(0, -1));
      search.write({ item: last.id });
    } catch (error) {
      toast({ text: messageOf(error), tone: "error" });
    }
  };
  return {
    current,
    keep,
    undo,
    canUndo: kept.length > 0,
    move: (step: 1 | -1) => current && select(neighborOf(items, current.id, step)),
  };
}

export type TaggingWork = ReturnType<typeof useTagging>;

export function readItem(slug: string, tagging_round: string, item: string) {
  return read("/api/projects/{slug}/tagging/{tagging_round}/items/{item}", { slug, tagging_round, item });
}

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
        void queryClient.invalidateQueries({ queryKey: readItem(slug, round.id, item.id).queryKey });
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
