/** What the choices of a protocol are called. */
import type { Credit, ProtocolDraft } from "./draft";

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
