/** Says that an answer's label is known; the same answer again changes what was said. */
import { api, unwrap } from "../client";
import type { KnownAnswerMark } from "../contract";

export async function markKnownAnswer(slug: string, body: KnownAnswerMark): Promise<void> {
  await unwrap(api.POST("/api/projects/{slug}/known-answers", { params: { path: { slug } }, body }));
}
