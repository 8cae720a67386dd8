/** Which lines of the queue are marked to be decided together, and what deciding them would mean. */
import { countOf } from "../../lib/numbers";
import type { Line } from "./stable-queue";

/** The server takes no more at once. */
export const MOST_MARKED = 200;

export function toggled(marks: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(marks);
  if (!next.delete(id) && next.size < MOST_MARKED) next.add(id);
  return next;
}

export function markedLines(lines: readonly Line[], marks: ReadonlySet<string>): Line[] {
  return lines.filter(({ item, state }) => state === "open" && marks.has(item.id));
}

/** What deciding these lines as one label will do, before it is done. */
export function forecast(lines: readonly Line[], label: string, name: string): string[] {
  const unsaid = lines.filter(({ item }) => !item.votes.some((vote) => vote.label === label)).length;
  const others = lines.filter(({ item }) => item.decided !== null && item.decided !== label).length;
  return [
    `${countOf(lines.length, "answer")} will be decided as ${name}, all of them or none; nobody else is asked.`,
    ...(unsaid > 0 ? [`Of ${countOf(unsaid, "answer")} no rater said so.`] : []),
    ...(others > 0 ? [`${countOf(others, "answer")} had been decided otherwise.`] : []),
  ];
}
