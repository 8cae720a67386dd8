/** What a model would get of an answer; nothing is sent anywhere. */
import { api, unwrap } from "../client";
import type { PromptDraft, PromptPreview } from "../contract";

export async function previewPrompt(slug: string, draft: PromptDraft): Promise<PromptPreview> {
  return unwrap(
    api.POST("/api/projects/{slug}/prompts/preview", { params: { path: { slug } }, body: { draft } }),
  );
}
