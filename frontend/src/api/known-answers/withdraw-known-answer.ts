/** Uses an answer as a known one no longer. */
import { api, unwrap } from "../client";

export async function withdrawKnownAnswer(slug: string, id: string): Promise<void> {
  await unwrap(
    api.DELETE("/api/projects/{slug}/known-answers/{known_id}", {
      params: { path: { slug, known_id: id } },
    }),
  );
}
