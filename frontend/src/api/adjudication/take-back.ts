/** Takes one's own decision on an answer, or of a whole group, back right after it was made. */
import { api, unwrap } from "../client";
import type { TakeBackDraft } from "../contract";

export async function takeBack(slug: string, body: TakeBackDraft): Promise<readonly string[]> {
  const reply = await unwrap(
    api.POST("/api/projects/{slug}/queue/take-back", { params: { path: { slug } }, body }),
  );
  return reply.answers;
}
