/** Names and words in a sentence. */

/** "A", "A and B", "A, B and C". */
export function listOf(names: readonly string[], between = ", "): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(between)} and ${last}`;
}

/** "all raters agreed" as "All raters agreed", at the beginning of a line. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
