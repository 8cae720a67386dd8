/** Names in a sentence. */

/** "A", "A and B", "A, B and C". */
export function listOf(names: readonly string[], between = ", "): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(between)} and ${last}`;
}
