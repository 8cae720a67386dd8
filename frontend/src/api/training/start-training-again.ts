/** Begins the training again with its first sheet. */
import { api, unwrap } from "../client";
import type { Training } from "../contract";

export async function startTrainingAgain(slug: string): Promise<Training> {
  return unwrap(api.POST("/api/projects/{slug}/training/again", { params: { path: { slug } } }));
}
