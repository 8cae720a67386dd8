/** Decisions on their way: the next answer is in front before the server has replied, and a refusal comes back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keyOf, post } from "../../api/client";
import { ApiError, messageOf } from "../../api/error";
import type { CategoryEnum, Dossier, Queue } from "../../api/schema";
import { useToast } from "../../components/toast";
import { labelName } from "../../domain/labels";
import type { LastDecision } from "./decision-form";
import { dossierQuery, markDecided, nextOpen, type QueueWork, seenNumber, useIsLeft } from "./queue";

/** What somebody has chosen and written about an answer, not decided yet. */
export interface Draft {
  readonly label: string | null;
  readonly category: CategoryEnum | null;
  readonly reason: string;
  readonly isShown: boolean;
}

const BLANK: Draft = { label: null, category: null, reason: "", isShown: false };

export function isReady(draft: Draft): draft is Draft & { readonly label: string } {
  return draft.label !== null && (draft.category !== null || draft.reason.trim() !== "");
}

interface Sent {
  readonly detail: Dossier;
  readonly draft: Draft & { readonly label: string };
  /** What is in front from the press on; null where the reply is waited for. */
  readonly shown: string | null;
  /** What the reply brings; null: the answer that was decided. */
  readonly brings: string | null;
}

export function useDeciding(slug: string, work: QueueWork, last: LastDecision) {
  const queryClient = useQueryClient();
  const keyFor = (id: string) => dossierQuery(slug, id, work).queryKey;
  const allKept = keyOf("/api/projects/{slug}/queue", { slug });
  // Written on every press of a key, which only the form has to show.
  const drafts = useRef(new Map<string, Draft>());
  const [refused, setRefused] = useState<{ readonly id: string; readonly error: Error } | null>(null);
  const [sending, setSending] = useState<ReadonlySet<string>>(new Set());
  const change = (id: string, part: Partial<Draft>) => {
    const draft = { ...(drafts.current.get(id) ?? BLANK), ...part };
    drafts.current.set(id, draft);
    return draft;
  };
  const sayElsewhere = useSayElsewhere();
  /** As it was, nobody is to see it again: also who has gone back to it since. */
  const forget = (id: string, isLeft: boolean) => {
    const filter = { queryKey: keyFor(id), exact: true };
    queryClient.removeQueries({ ...filter, type: isLeft ? "inactive" : "all" });
    void queryClient.invalidateQueries(filter);
  };
  const mutation = useMutation({
    // One after the other: the last reply is that of the last decision.
    scope: { id: `decisions ${slug}` },
    mutationFn: ({ detail, draft, brings }: Sent) =>
      post(
        "/api/projects/{slug}/answers/{candidate}/decision",
        { slug, candidate: detail.id },
        {
          label: draft.label,
          reason: draft.reason.trim(),
          category: draft.category ?? "",
          is_reason_shown: draft.isShown,
          seen_number: seenNumber(detail),
          next: brings ?? "",
        },
      ),
    onSuccess: (after, { detail, draft, shown, brings }) => {
      drafts.current.delete(detail.id);
      void queryClient.invalidateQueries({ queryKey: allKept, refetchType: "none" });
      queryClient.setQueryData(keyFor(after.id), after);
      queryClient.setQueryData(work.list.queryKey, (list) => list && withoutAnswer(list, detail.id));
      if (shown === null) work.decided([detail.id], draft.label);
      else
        queryClient.setQueryData(keyFor(shown), (kept) => kept && withDecided(kept, detail.id, draft.label));
      if (after.id !== detail.id) forget(detail.id, shown !== null);
      last.made({ answer: detail.id }, `Decided: ${labelName(draft.label)}.`, {
        // Nothing else to go on to: it stays in front, and its notice has the way back.
        isInFront: brings === null,
        isListKnown: brings !== null,
      });
    },
    onError: (error, { detail, shown }) => {
      setRefused({ id: detail.id, error });
      const isBusy = isWriting(work.inFront(), detail.id, drafts.current);
      sayElsewhere(detail, error, isBusy ? () => work.select(detail.id) : null);
      if (shown !== null) {
        // It comes to the front of somebody at another answer: Enter alone must not decide it again.
        change(detail.id, { label: null });
        work.reopened([detail.id], { isQuiet: isBusy });
      }
      if (error instanceof ApiError && error.kind === "conflict")
        void queryClient.invalidateQueries({ queryKey: allKept });
    },
    onSettled: (_, __, { detail }) =>
      setSending((before) => new Set([...before].filter((id) => id !== detail.id))),
  });
  usePrefetch(slug, work, sending.size > 0);
  const send = (detail: Dossier, draft: Draft) => {
    if (!isReady(draft) || sending.has(detail.id)) return;
    const next = nextOpen(work.lines, detail.id);
    const isThere = next !== null && queryClient.getQueryData(keyFor(next)) !== undefined;
    const after = markDecided(work.lines, detail.id, draft.label);
    setRefused(null);
    setSending((before) => new Set(before).add(detail.id));
    last.follow(
      mutation.mutateAsync({
        detail,
        draft,
        shown: isThere ? next : null,
        // Of what is there already the one after it, so that it is there in its turn.
        brings: isThere ? (nextOpen(after, next) ?? next) : next,
      }),
    );
    if (isThere) work.decided([detail.id], draft.label);
  };
  return {
    draftOf: (id: string) => drafts.current.get(id) ?? BLANK,
    change,
    send,
    isSending: (id: string) => sending.has(id),
    errorOf: (id: string) => (refused?.id === id ? refused.error : null),
  };
}

export type Deciding = ReturnType<typeof useDeciding>;

/** Reads the next answer once the one in front is there, unless a decision's reply is to bring it. */
function usePrefetch(slug: string, work: QueueWork, isSending: boolean): void {
  const queryClient = useQueryClient();
  const { current, lines, systems } = work;
  const next = nextOpen(lines, current);
  useEffect(() => {
    if (next === null || isSending) return;
    void queryClient.prefetchQuery(dossierQuery(slug, next, { systems }));
  }, [queryClient, slug, next, systems, isSending]);
}

/** Whether another answer is in front and an explanation of it begun: what is typed there must not go elsewhere. */
function isWriting(inFront: string | null, id: string, drafts: ReadonlyMap<string, Draft>): boolean {
  if (inFront === null || inFront === id) return false;
  return (drafts.get(inFront)?.reason ?? "") !== "" || document.activeElement?.matches("textarea") === true;
}

/** Says in a note which decision was refused where its answer is not in front, or the page has been left. */
function useSayElsewhere() {
  const toast = useToast();
  const isLeft = useIsLeft();
  return (detail: Dossier, error: Error, show: (() => void) | null) => {
    if (!isLeft.current && !show) return;
    const action = show && !isLeft.current ? { action: { name: "Show answer", run: show } } : {};
    toast({
      text: `The answer “${detail.answer}” was not decided. ${messageOf(error)}`,
      tone: "error",
      ...action,
    });
  };
}

/** The list as the server would tell it after one decision. */
function withoutAnswer(list: Queue, id: string): Queue {
  const items = list.items.filter((item) => item.id !== id);
  const gone = list.items.length - items.length;
  return { ...list, items, total: list.total - gone, decided_today: list.decided_today + 1 };
}

/** An answer as the server would tell it after another one to its question was decided. */
function withDecided(detail: Dossier, id: string, label: string): Dossier {
  const siblings = detail.siblings.map((sibling) =>
    sibling.id === id ? { ...sibling, label, state: "decided" as const } : sibling,
  );
  return { ...detail, siblings };
}
