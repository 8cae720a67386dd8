/** A prompt of one's own while it is written. */
import type { Prompt, PromptDraft } from "../../api/contract";

/** What Assay brings is adapted under a key of one's own; an own prompt gets its next version. */
export function draftOf(origin: Prompt): PromptDraft {
  return {
    key: origin.built_in ? `my-${origin.key}` : origin.key,
    name: origin.built_in ? `${origin.name}, adapted` : origin.name,
    system: origin.system,
    template: origin.template,
    parser: origin.parser,
  };
}
