/** A queue that never jumps under the hand: what was shown keeps its place, what is new comes last. */
import type { QueueItem } from "../../api/contract";

export interface Line {
  readonly item: QueueItem;
  /** "sent-back": by this person; "elsewhere": no longer waiting, and not by this person's doing. */
  readonly state: "open" | "decided" | "sent-back" | "elsewhere";
  readonly label: string | null;
}

/** The lines after the server was asked again; `isPart`: it told only the first of what waits. */
export function mergeQueue(lines: readonly Line[], items: readonly QueueItem[], isPart = false): Line[] {
  const waiting = new Map(items.map((item) => [item.id, item]));
  const lastTold = lines.findLastIndex(({ item }) => waiting.has(item.id));
  const kept = lines.map((line, place): Line => {
    const item = waiting.get(line.item.id);
    if (line.state === "decided" || line.state === "sent-back") return line;
    if (item) return { item, state: "open", label: null };
    if (isPart && place > lastTold) return line;
    return { ...line, state: "elsewhere" };
  });
  const known = new Set(lines.map(({ item }) => item.id));
  const added = items.filter(({ id }) => !known.has(id));
  return [...kept, ...added.map((item): Line => ({ item, state: "open", label: null }))];
}

export function markDecided(lines: readonly Line[], id: string, label: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "decided", label } : line));
}

export function markSentBack(lines: readonly Line[], id: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "sent-back", label: null } : line));
}

export function markOpen(lines: readonly Line[], id: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "open", label: null } : line));
}

/** The neighbor of a line, or the line itself at the ends. */
export function neighbor(lines: readonly Line[], id: string | null, step: 1 | -1): string | null {
  const index = lines.findIndex(({ item }) => item.id === id);
  if (index < 0) return lines[0]?.item.id ?? null;
  return lines[Math.min(lines.length - 1, Math.max(0, index + step))]?.item.id ?? null;
}

/** The next open line after this one, going round; null when nothing is open. */
export function nextOpen(lines: readonly Line[], id: string | null): string | null {
  const start = lines.findIndex(({ item }) => item.id === id);
  const rotated = [...lines.slice(start + 1), ...lines.slice(0, start + 1)];
  return rotated.find(({ state, item }) => state === "open" && item.id !== id)?.item.id ?? null;
}

export function openCount(lines: readonly Line[]): number {
  return lines.filter(({ state }) => state === "open").length;
}
