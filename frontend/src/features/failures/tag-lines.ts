/** Tags of an own set as text, one a line: "Name | what it means | an example". */
import type { FailureTag } from "../../api/schema";

/** "Too vague" becomes "too-vague". */
export function keyOf(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return ascii.replace(/^-+|-+$/g, "").slice(0, 60);
}

export function linesOf(tags: readonly FailureTag[]): string {
  return tags.map(({ name, meaning, example }) => [name, meaning, example].join(" | ")).join("\n");
}

/** A tag that keeps its name keeps its key, group and kind of judge. */
export function tagsOf(lines: string, before: readonly FailureTag[]): FailureTag[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", meaning = "", example = ""] = line.split("|").map((part) => part.trim());
      const kept = before.find((tag) => tag.name === name);
      const fresh = { key: keyOf(name), group: "", judges: "any" as const };
      return { ...fresh, ...kept, name, meaning, example };
    });
}
