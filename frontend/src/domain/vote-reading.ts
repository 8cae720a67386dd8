/** The ways of reading first-round votes: what stands for a missing one, and which labels are told apart. */

export const MISSING_VOTES = [
  { value: "own-category", name: "a category of its own" },
  { value: "drop", name: "nothing: the answer is left out" },
  { value: "as-incorrect", name: "incorrect" },
  { value: "as-correct", name: "correct" },
] as const;

export const LABEL_VIEWS = [
  { value: "as-labelled", name: "as labelled" },
  { value: "definitely", name: "definitely correct, or not" },
  { value: "possibly", name: "possibly correct or better, or not" },
] as const;

type MissingVotes = (typeof MISSING_VOTES)[number]["value"];
type LabelView = (typeof LABEL_VIEWS)[number]["value"];

export function ruleOf(text: string | undefined): MissingVotes {
  return MISSING_VOTES.find(({ value }) => value === text)?.value ?? "own-category";
}

export function viewOf(text: string | undefined): LabelView {
  return LABEL_VIEWS.find(({ value }) => value === text)?.value ?? "as-labelled";
}
