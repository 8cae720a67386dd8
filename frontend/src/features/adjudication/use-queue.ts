/** The queue as one person works through it: stable lines, one of them under the hand. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queueQuery } from "../../api/adjudication/queue";
import { useSearchState } from "../../lib/search-state";
import { type Line, markDecided, markOpen, mergeQueue, neighbor, nextOpen } from "./stable-queue";
import { filterKey, readFilter, showsSystems } from "./queue-filter";

const ASK_AGAIN_AFTER = 20_000;

export function useQueue(slug: string) {
  const search = useSearchState();
  const filter = readFilter(search.read);
  const key = filterKey(filter);
  const query = useQuery({ ...queueQuery(slug, filter), refetchInterval: ASK_AGAIN_AFTER });
  const [kept, setKept] = useState<{ key: string; lines: Line[] }>({ key, lines: [] });
  useEffect(() => {
    if (!query.data) return;
    const { items, total } = query.data;
    setKept((before) => ({
      key,
      lines: mergeQueue(before.key === key ? before.lines : [], items, total > items.length),
    }));
  }, [query.data, key]);
  const lines = useMemo(() => (kept.key === key ? kept.lines : []), [kept, key]);
  const chosen = search.read("answer");
  // An address may name an answer that is not waiting: it can still be looked at and decided anew.
  const current = chosen ?? lines.find(({ state }) => state === "open")?.item.id ?? lines[0]?.item.id ?? null;
  const select = (id: string | null) => search.write({ answer: id ?? undefined });
  return {
    query,
    filter,
    systems: showsSystems(search.read),
    lines,
    current,
    isChosen: chosen !== undefined,
    select,
    choose: (changes: Readonly<Record<string, string | undefined>>) =>
      search.write({ ...changes, answer: undefined }),
    showSystems: (shown: boolean) => search.write({ systems: shown ? "shown" : "hidden" }),
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
