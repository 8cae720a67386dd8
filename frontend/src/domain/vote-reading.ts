/** The ways of reading first-round votes: what stands for a missing one, and which labels are told apart. */

export const MISSING_VOTES = [
  { value: "own-category", name: "Counted as a separate label" },
  { value: "drop", name: "Answers with missing votes excluded" },
  { value: "as-incorrect", name: "Counted as incorrect" },
  { value: "as-correct", name: "Counted as correct" },
] as const;

export const LABEL_VIEWS = [
  { value: "as-labelled", name: "As given" },
  { value: "definitely", name: "Definitely correct vs. all other labels" },
  { value: "possibly", name: "Possibly or definitely correct vs. all other labels" },
] as const;

type MissingVotes = (typeof MISSING_VOTES)[number]["value"];
type LabelView = (typeof LABEL_VIEWS)[number]["value"];

export function ruleOf(text: string | undefined): MissingVotes {
  return MISSING_VOTES.find(({ value }) => value === text)?.value ?? "own-category";
}

export function viewOf(text: string | undefined): LabelView {
  return LABEL_VIEWS.find(({ value }) => value === text)?.value ?? "as-labelled";
}
