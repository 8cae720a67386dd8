/** The queue as one person works through it: stable lines, one of them under the hand. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queueQuery } from "../../api/adjudication/queue";
import { useSearchState } from "../../lib/search-state";
import { type Line, markDecided, markOpen, mergeQueue, neighbor, nextOpen } from "./stable-queue";
import { waitingReason } from "./words";

const ASK_AGAIN_AFTER = 20_000;

export function useQueue(slug: string) {
  const search = useSearchState();
  const reason = waitingReason(search.read("reason"));
  const query = useQuery({ ...queueQuery(slug, reason), refetchInterval: ASK_AGAIN_AFTER });
  const [kept, setKept] = useState<{ reason: string | undefined; lines: Line[] }>({ reason, lines: [] });
  useEffect(() => {
    const items = query.data?.items;
    if (!items) return;
    setKept((before) => ({ reason, lines: mergeQueue(before.reason === reason ? before.lines : [], items) }));
  }, [query.data, reason]);
  const lines = useMemo(() => (kept.reason === reason ? kept.lines : []), [kept, reason]);
  const chosen = search.read("answer");
  // An address may name an answer that is not waiting: it can still be looked at and decided anew.
  const current = chosen ?? lines.find(({ state }) => state === "open")?.item.id ?? lines[0]?.item.id ?? null;
  const select = (id: string | null) => search.write({ answer: id ?? undefined });
  return {
    query,
    reason,
    lines,
    current,
    isChosen: chosen !== undefined,
    select,
    chooseReason: (next: string) =>
      search.write({ reason: next === "all" ? undefined : next, answer: undefined }),
    move: (step: 1 | -1) => select(neighbor(lines, current, step)),
    decided: (id: string, label: string) => {
      setKept((before) => ({ ...before, lines: markDecided(before.lines, id, label) }));
      const next = nextOpen(lines, id);
      if (next !== null) select(next);
    },
    reopened: (id: string) => {
      setKept((before) => ({ ...before, lines: markOpen(before.lines, id) }));
      select(id);
    },
  };
}

export type QueueWork = ReturnType<typeof useQueue>;
