/** What a system gains from one way of judging to another, with intervals. */
import type { SystemGain } from "../api/schema";

export function makeGain(more: Partial<SystemGain> = {}): SystemGain {
  return {
    column: "human",
    system: "Chatty",
    difference: 0.6,
    interval: [0.5, 0.69],
    relative: 3,
    relative_interval: [2, 5],
    words: "",
    ...more,
  };
}
