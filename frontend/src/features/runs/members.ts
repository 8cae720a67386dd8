/** Members of a jury as the text that its option takes. */

export function membersOf(text: string): readonly string[] {
  return text.split(",").filter(Boolean);
}

/** A member comes in last, and one that is in goes out. */
export function withMember(text: string, run: string): string {
  const members = membersOf(text);
  const changed = members.includes(run) ? members.filter((member) => member !== run) : [...members, run];
  return changed.join(",");
}
