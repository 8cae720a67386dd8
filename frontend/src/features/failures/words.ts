/** Rounds, filters and subjects in words, and tags as lines that people write. */
import { FLAGS as KINDS } from "../../domain/flags";
import type { FailureTag, TaggingRound } from "../../api/schema";
import { countOf, formatPercent } from "../../lib/numbers";

export const PEOPLE = [
  { value: "any", name: "Any" },
  { value: "accept", name: "Correct" },
  { value: "possibly", name: "Possibly correct" },
  { value: "accept_or_possibly", name: "Correct or possibly correct" },
  { value: "reject", name: "Incorrect" },
] as const;

export const SAID = [
  { value: "any", name: "Any" },
  { value: "accepts", name: "Accepts" },
  { value: "rejects", name: "Rejects" },
  { value: "errs", name: "Disagrees with people" },
] as const;

export const FLAGS = [{ value: "", name: "Any or none" }, ...KINDS] as const;

export const PROPOSALS = [
  { value: "none", name: "None" },
  { value: "shown", name: "Shown to taggers" },
  { value: "hidden", name: "Hidden from taggers" },
] as const;

const SUBJECTS = { answer: "answer", question: "question", verdict: "verdict" } as const;

export function subjectOf(subject: TaggingRound["subject"]): string {
  return SUBJECTS[subject];
}

/** "Rules", or the name of the model: what stands first in a signature. */
export function proposerOf(signature: string): string {
  return signature.startsWith("rules|") ? "A rule" : "A model";
}

/** "95% interval: 45% to 80%". */
export function shareWords({ share: { low, high } }: NonNullable<TaggingRound["comparison"]>): string {
  return `95% interval: ${formatPercent(low, 0)} to ${formatPercent(high, 0)}`;
}

/** "3 of 50 answers tagged · people said what was proposed in 12 of 20". */
/** What the numbers of a round's progress count. */
export function progressUnit({ total, subject }: Pick<TaggingRound, "total" | "subject">): string {
  return `${subjectOf(subject)}${total === 1 ? "" : "s"} tagged`;
}

/** How often people chose what was proposed; empty where nothing was. */
export function proposedWords({ comparison }: Pick<TaggingRound, "comparison">): string {
  if (comparison === null || comparison.compared === 0) return "";
  return `people chose the proposed tags for ${comparison.agreed} of ${countOf(comparison.compared, "item")}`;
}

const nameIn = (options: readonly { readonly value: string; readonly name: string }[], value: string) =>
  options.find((option) => option.value === value)?.name.toLowerCase() ?? value;

/** What a round drew from, as one line. */
export function filterWords(filter: Partial<TaggingRound["filter"]>, judge: string): string {
  const { people = "any", said = "any", flag = "", beyond_gold: beyondGold = false } = filter;
  if (filter.by_hand) return "chosen by hand";
  const parts = [
    people === "any" ? "" : `decision: ${nameIn(PEOPLE, people)}`,
    judge === "" ? "" : `${judge}: ${said === "any" ? "any verdict" : nameIn(SAID, said)}`,
    filter.system ? "one system" : "",
    flag ? `flag: ${nameIn(FLAGS, flag)}` : "",
    beyondGold ? "matching no gold answer" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "all decided answers" : parts.join(" · ");
}

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
