/** Hands in a sheet of the training and learns what was right. */
import { api, unwrap } from "../client";
import type { TrainingAnswers, TrainingFeedback } from "../contract";

export async function answerTraining(slug: string, body: TrainingAnswers): Promise<TrainingFeedback> {
  return unwrap(api.POST("/api/projects/{slug}/training/answers", { params: { path: { slug } }, body }));
}
