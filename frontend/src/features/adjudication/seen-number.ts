/** The number of the last row of an answer's history as it was seen (0: none). */
import type { QueueDetail } from "../../api/contract";

export function seenNumber({ history }: Pick<QueueDetail, "history">): number {
  return history.reduce((last, { number }) => Math.max(last, number), 0);
}
