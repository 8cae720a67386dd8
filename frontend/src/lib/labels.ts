/** What a label looks like: its key says which of the three tones it has. */

export type LabelTone = "correct" | "possibly" | "incorrect" | "other";

export function labelTone(label: string): LabelTone {
  const key = label.toLowerCase();
  if (key.includes("possibly")) return "possibly";
  if (key.includes("incorrect")) return "incorrect";
  if (key.includes("correct")) return "correct";
  return "other";
}

/** "definitely_correct" as "Definitely correct". */
export function labelName(label: string): string {
  const words = label.replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The tone of what a label is worth in its protocol. */
export function toneOfCredit(credit: string): LabelTone {
  if (credit === "definite") return "correct";
  if (credit === "possible") return "possibly";
  return credit === "none" ? "incorrect" : "other";
}
