/** Corrects what a question says. */
import { api, unwrap } from "../client";
import type { QuestionCorrectionDraft } from "../contract";

export async function correctQuestion(
  slug: string,
  question: string,
  body: QuestionCorrectionDraft,
): Promise<void> {
  await unwrap(
    api.POST("/api/projects/{slug}/questions/{question}/correct", {
      params: { path: { slug, question } },
      body,
    }),
  );
}
