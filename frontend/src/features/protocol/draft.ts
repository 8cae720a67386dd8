/** A protocol while it is edited: its own description, in which numbers may be empty for a while. */
import type { components } from "../../api/schema";

type ProtocolSpec = components["schemas"]["ProtocolSpec"];
type QuestionCheck = components["schemas"]["QuestionCheck"];

export type Credit = components["schemas"]["CreditEnum"];
export const CREDITS = ["definite", "possible", "none", "missing"] as const satisfies readonly Credit[];

/** An emptied field is empty, not zero; the server says what it wants there. */
type NumberDraft = number | "";

/** Its key is empty until it is kept: then it is made from the name and stays. */
export type LabelDraft = Readonly<components["schemas"]["Label"]>;

export interface CheckDraft extends Readonly<Omit<QuestionCheck, "at_least">> {
  readonly at_least: NumberDraft;
}

type Numbers = "raters_per_answer" | "most_raters" | "sheet_size";
type Lists = "labels" | "question_checks" | "evidence_required_for" | "comment_required_for";

export interface ProtocolDraft
  extends Readonly<Omit<ProtocolSpec, Numbers | Lists>>, Readonly<Record<Numbers, NumberDraft>> {
  readonly labels: readonly LabelDraft[];
  readonly question_checks: readonly CheckDraft[];
  readonly evidence_required_for: readonly Credit[];
  readonly comment_required_for: readonly Credit[];
}

export type Change = (change: Partial<ProtocolDraft>) => void;

function keyFrom(words: string, taken: ReadonlySet<string>): string {
  const plain = words
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  const base = plain === "" ? "choice" : plain;
  let key = base;
  for (let number = 2; taken.has(key); number += 1) key = `${base}_${number}`;
  return key;
}

/** Gives keys to what is new; keys that are there never change, since votes are kept by them. */
export function withKeys<Item extends { readonly key: string }>(
  items: readonly Item[],
  wordsOf: (item: Item) => string,
): Item[] {
  const taken = new Set(items.map((item) => item.key).filter((key) => key !== ""));
  return items.map((item) => {
    if (item.key !== "") return item;
    const key = keyFrom(wordsOf(item), taken);
    taken.add(key);
    return { ...item, key };
  });
}

export function specOf(draft: ProtocolDraft): Record<string, unknown> {
  return {
    ...draft,
    labels: withKeys(draft.labels, (label) => label.name),
    question_checks: withKeys(draft.question_checks, (check) => check.text),
  };
}

export function numberFrom(text: string): NumberDraft {
  return text.trim() === "" ? "" : Number(text);
}

export const CREDIT_WORDS: Readonly<Record<Credit, string>> = {
  definite: "Counts as correct",
  possible: "Counts as possibly correct",
  none: "Counts as incorrect",
  missing: "No vote; another annotator judges the answer",
};

export const LABELS_THAT: Readonly<Record<Credit, string>> = {
  definite: "Correct",
  possible: "Possibly correct",
  none: "Incorrect",
  missing: "Cannot judge",
};

export const DECISION_WORDS: Readonly<Record<ProtocolDraft["decision_rule"], string>> = {
  majority: "Majority of annotators",
  two_of_three: "Two of three, as in EfficientQA",
  only_rater: "The single annotator’s label",
};

export const PASSAGE_WORDS: Readonly<Record<ProtocolDraft["passages_shown"], string>> = {
  none: "None",
  given: "Those given with the question",
  pooled: "Also those that systems retrieved",
};

export const PASSAGE_HINTS: Readonly<Record<ProtocolDraft["passages_shown"], string>> = {
  none: "Annotators use their own knowledge and research.",
  given: "Annotators see the passages given with the question, the same for all systems.",
  pooled:
    "Annotators also see the passages that systems retrieved for the question, without system names or sources, in an order that does not reveal the systems. If an answer copies a passage, annotators may still guess that the system that gave the answer also retrieved the passage.",
};

export const DECISION_HINTS: Readonly<Record<ProtocolDraft["decision_rule"], string>> = {
  majority: "More than half of the votes.",
  two_of_three:
    "“Correct” if two of three annotators choose “correct.” “Possibly correct” if two choose “correct” or “possibly correct.” Otherwise, “incorrect.”",
  only_rater: "Use with one annotator per answer.",
};

export const TIE_BREAK_WORDS: Readonly<Record<ProtocolDraft["tie_break"], string>> = {
  third_rater: "One more annotator judges the answer",
  more_raters: "More annotators judge, one at a time, up to a limit",
  lead: "A lead or an adjudicator decides",
  nobody: "No more annotators; a lead or an adjudicator decides if the rule cannot",
};
