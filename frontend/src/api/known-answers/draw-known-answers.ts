/** Makes decided answers known ones by lot. */
import { api, unwrap } from "../client";
import type { KnownAnswer, KnownAnswerDraw } from "../contract";

export async function drawKnownAnswers(slug: string, body: KnownAnswerDraw): Promise<readonly KnownAnswer[]> {
  return unwrap(api.POST("/api/projects/{slug}/known-answers/draw", { params: { path: { slug } }, body }));
}
