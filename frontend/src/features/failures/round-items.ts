/** A round's list of items: which one comes next, and what a tagging changes in it. */
import type { RoundItem, TaggedItem, TaggingRoundDetail } from "../../api/contract";

/** The next item nobody has tagged, after this one and then from the start; none where all are. */
export function nextOpen(items: readonly RoundItem[], id: string): RoundItem | null {
  const place = items.findIndex((item) => item.id === id);
  const ahead = [...items.slice(place + 1), ...items.slice(0, Math.max(place, 0))];
  return ahead.find((item) => !item.is_done) ?? null;
}

export function neighborOf(items: readonly RoundItem[], id: string, step: 1 | -1): RoundItem | null {
  const place = items.findIndex((item) => item.id === id);
  return items[place + step] ?? null;
}

export function withTags(round: TaggingRoundDetail, tagged: TaggedItem): TaggingRoundDetail {
  const isDone = tagged.current !== null;
  const items = round.items.map((item) =>
    item.id === tagged.id ? { ...item, is_done: isDone, tags: tagged.current?.tags ?? [] } : item,
  );
  return { ...round, items, done: items.filter((item) => item.is_done).length };
}
