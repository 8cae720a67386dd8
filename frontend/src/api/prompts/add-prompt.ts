/** Stores a prompt, as the next version where there is one of this key. */
import { api, unwrap } from "../client";
import type { Prompt, PromptDraft } from "../contract";

export async function addPrompt(slug: string, body: PromptDraft): Promise<Prompt> {
  return unwrap(api.POST("/api/projects/{slug}/prompts", { params: { path: { slug } }, body }));
}
