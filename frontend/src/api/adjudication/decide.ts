/** Decides one answer. */
import { api, unwrap } from "../client";
import type { QueueDetail } from "../contract";

export interface DecisionBody {
  readonly label: string;
  readonly reason: string;
  readonly category?: string;
  /** The number of the decision one was looking at, 0 where there was none. */
  readonly seen_number?: number | null;
}

export async function decide(slug: string, candidate: string, body: DecisionBody): Promise<QueueDetail> {
  return unwrap(
    api.POST("/api/projects/{slug}/answers/{candidate}/decision", {
      params: { path: { slug, candidate } },
      body,
    }),
  );
}
