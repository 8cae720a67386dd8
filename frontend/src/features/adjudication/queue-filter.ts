/** Which part of the queue an address asks for. */
import type { QueueFilter } from "../../api/contract";
import { waitingReason } from "./words";

type Read = (key: string) => string | undefined;

const FLAGS = ["ambiguous", "time_dependent", "list", "gold_improper", "unclear"] as const;

/** Whether the address says that systems are shown or hidden; without a word the protocol says. */
export function showsSystems(read: Read): boolean | undefined {
  const word = read("systems");
  return word === "shown" ? true : word === "hidden" ? false : undefined;
}

export function readFilter(read: Read): QueueFilter {
  const reason = waitingReason(read("reason"));
  const flag = FLAGS.find((kind) => kind === read("flag"));
  const pair = read("pair");
  const judge = read("judge");
  const systems = showsSystems(read);
  return {
    ...(reason && { reason }),
    ...(flag && { flag }),
    ...(pair && { pair }),
    ...(judge && { judge }),
    ...(systems !== undefined && { systems }),
  };
}

/** What the lines of a list have in common; showing systems changes no line. */
export function filterKey({ reason, flag, pair, judge }: QueueFilter): string {
  return [reason, flag, pair, judge].join(" ");
}

export function filterCount({ reason, flag, pair, judge }: QueueFilter): number {
  return [reason, flag, pair, judge].filter(Boolean).length;
}

export function isFiltered(filter: QueueFilter): boolean {
  return filterCount(filter) > 0;
}
