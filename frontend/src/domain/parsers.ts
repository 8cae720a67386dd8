/** How replies to a prompt may be read, in words. */
import type { PromptDraftRequest } from "../api/schema";

type Key = NonNullable<PromptDraftRequest["parser"]>;

export const PARSERS: readonly { readonly key: Key; readonly name: string; readonly about: string }[] = [
  { key: "strict", name: "Strict", about: "the first word is yes or no, and nothing contradicts it" },
  { key: "first-word", name: "First word", about: "the first word is yes or no, and the rest is ignored" },
  { key: "last-after-bar", name: "After the last “|”", about: "reasons first, verdict last" },
  { key: "label", name: "Label", about: "a JSON object with one of three labels" },
];

export function parserName(parser: string): string {
  return PARSERS.find(({ key }) => key === parser)?.name ?? parser;
}
