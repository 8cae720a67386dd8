/** A protocol while it is edited: its own description, with what pages change of it typed. */

export const CREDITS = ["definite", "possible", "none", "missing"] as const;
export type Credit = (typeof CREDITS)[number];

/** An emptied field is empty, not zero; the server says what it wants there. */
type NumberDraft = number | "";

export interface LabelDraft {
  /** Empty until it is kept: then it is made from the name and stays. */
  readonly key: string;
  readonly name: string;
  readonly credit: Credit;
}

export interface CheckDraft {
  readonly key: string;
  readonly text: string;
  readonly rule: "any" | "at_least";
  readonly at_least: NumberDraft;
  readonly skips_answers: boolean;
}

export interface ProtocolDraft {
  readonly labels: readonly LabelDraft[];
  readonly raters_per_answer: NumberDraft;
  readonly decision_rule: "majority" | "two_of_three" | "only_rater";
  readonly tie_break: "third_rater" | "more_raters" | "lead" | "nobody";
  readonly most_raters: NumberDraft;
  readonly gold_shown: boolean;
  readonly gold_equal: "judged" | "correct";
  readonly gold_among_answers: boolean;
  readonly question_checks: readonly CheckDraft[];
  readonly checks_first: boolean;
  readonly evidence_required_for: readonly Credit[];
  readonly comment_required_for: readonly Credit[];
  readonly sheet_size: NumberDraft;
  readonly fill_tie_break_sheets: boolean;
  readonly pool_within_groups: boolean;
  readonly decisions_shown: boolean;
  readonly adjudication_unblinded: boolean;
  readonly guidelines: string;
}

type Spec = Readonly<Record<string, unknown>>;
export type Change = (change: Partial<ProtocolDraft>) => void;

/** The server has checked every description it hands out, so its fields are what they say. */
export function draftOf(spec: Spec): ProtocolDraft {
  return spec as unknown as ProtocolDraft;
}

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
  missing: "No vote: the next rater is asked",
};

export const LABELS_THAT: Readonly<Record<Credit, string>> = {
  definite: "Correct",
  possible: "Possibly correct",
  none: "Incorrect",
  missing: "Cannot judge",
};

export const DECISION_WORDS: Readonly<Record<ProtocolDraft["decision_rule"], string>> = {
  majority: "The label that most raters gave",
  two_of_three: "Two of three, as in EfficientQA",
  only_rater: "What the only rater says",
};

export const DECISION_HINTS: Readonly<Record<ProtocolDraft["decision_rule"], string>> = {
  majority: "More than half of the votes.",
  two_of_three:
    "Correct where two of three say so; else possibly correct where two say at least that; else incorrect.",
  only_rater: "For one rater an answer.",
};

export const TIE_BREAK_WORDS: Readonly<Record<ProtocolDraft["tie_break"], string>> = {
  third_rater: "One more rater, without knowing it",
  more_raters: "More raters, one by one, to a limit",
  lead: "The lead decides",
  nobody: "Nobody more; the lead gets the rest",
};
