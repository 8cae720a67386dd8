/** The queue as one person works through it: stable lines, one of them under the hand. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSearchState } from "../../lib/search-state";
import { toggled } from "./marks";
import {
  type Line,
  markDecided,
  markOpen,
  markSentBack,
  mergeQueue,
  neighbor,
  nextOpen,
} from "./stable-queue";
import { read } from "../../api/client";
import { filterKey, readFilter, showsSystems } from "./queue-filter";

const ASK_AGAIN_AFTER = 20_000;

export function useQueue(slug: string) {
  const search = useSearchState();
  const filter = readFilter(search.read);
  const key = filterKey(filter);
  const query = useQuery({
    ...read("/api/projects/{slug}/queue", { slug }, filter),
    refetchInterval: ASK_AGAIN_AFTER,
  });
  const [kept, setKept] = useState<{ key: string; lines: readonly Line[] }>({ key, lines: [] });
  useEffect(() => {
    if (!query.data) return;
    const { items, total } = query.data;
    setKept((before) => ({
      key,
      lines: mergeQueue(before.key === key ? before.lines : [], items, total > items.length),
    }));
  }, [query.data, key]);
  const lines = useMemo(() => (kept.key === key ? kept.lines : []), [kept, key]);
  const [handled, setHandled] = useState<readonly string[]>([]);
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const chosen = search.read("answer");
  // An address may name an answer that is not waiting: it can still be looked at and decided anew.
  const current = chosen ?? lines.find(({ state }) => state === "open")?.item.id ?? lines[0]?.item.id ?? null;
  const select = (id: string | null) => search.write({ answer: id ?? undefined });
  const goOn = (done: readonly string[], after: readonly Line[]) => {
    setKept({ key, lines: after });
    setHandled((before) => [...before, ...done]);
    setMarks((before) => new Set([...before].filter((id) => !done.includes(id))));
    const next = nextOpen(after, done.at(-1) ?? null);
    if (next !== null) select(next);
  };
  return {
    query,
    filter,
    systems: showsSystems(search.read),
    lines,
    current,
    /** What was decided or sent back here and not taken back, the last at the end. */
    handled,
    isChosen: chosen !== undefined,
    select,
    choose: (changes: Readonly<Record<string, string | undefined>>) =>
      search.write({ ...changes, answer: undefined }),
    showSystems: (shown: boolean) => search.write({ systems: shown ? "shown" : "hidden" }),
    move: (step: 1 | -1) => select(neighbor(lines, current, step)),
    marks,
    mark: (id: string) => setMarks((before) => toggled(before, id)),
    unmark: () => setMarks(new Set()),
    decided: (ids: readonly string[], label: string) =>
      goOn(
        ids,
        ids.reduce<readonly Line[]>((before, id) => markDecided(before, id, label), lines),
      ),
    sentBack: (id: string) => goOn([id], markSentBack(lines, id)),
    reopened: (ids: readonly string[]) => {
      setHandled((before) => before.filter((id) => !ids.includes(id)));
      setKept((before) => ({ ...before, lines: ids.reduce(markOpen, before.lines) }));
      select(ids[0] ?? null);
    },
  };
}

export type QueueWork = ReturnType<typeof useQueue>;
