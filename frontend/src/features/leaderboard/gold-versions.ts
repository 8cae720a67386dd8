/** The gold lists that the leaderboard can be compared with, by when they were and what had changed. */
import type { GoldDay } from "../../api/schema";
import { countOf } from "../../lib/numbers";
import { dayWords } from "../../lib/time";

/** days: the newest first, as the server tells them. Since the last of them the list is as it is now. */
export function earlierLists(days: readonly GoldDay[]): { value: string; name: string }[] {
  return [
    { value: "original", name: "As imported, before any change" },
    ...days.slice(1).map(({ day, made, undone }) => ({
      value: day,
      name: `End of ${dayWords(day)}, after ${changesWords(made, undone)} that day`,
    })),
  ];
}

/** Of one that an address names: as of a day, a moment or a change. */
export function otherList(version: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) ? `End of ${dayWords(version)}` : `After change ${version}`;
}

function changesWords(made: number, undone: number): string {
  if (made === 0) return `${countOf(undone, "change was", "changes were")} undone`;
  return `${countOf(made, "change")}${undone > 0 ? ` (${undone} undone)` : ""}`;
}
