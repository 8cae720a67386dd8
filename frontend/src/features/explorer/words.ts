/** States, sources and rounds of answers as words. */
import type { AgreementDimension } from "../../api/contract";
import type { Tone } from "../../components/badge";

export const ANSWER_STATES = [
  { value: "waiting", name: "Not begun" },
  { value: "judging", name: "Being judged" },
  { value: "disputed", name: "Waits for a decision" },
  { value: "decided", name: "Decided" },
  { value: "disagreement", name: "First raters differ" },
  { value: "flagged", name: "Question flagged" },
  { value: "unasked", name: "Outside the judged sample" },
] as const;

/** The state an address names, or none where it names no state there is. */
export function stateOf(text: string | undefined): (typeof ANSWER_STATES)[number]["value"] | undefined {
  return ANSWER_STATES.find(({ value }) => value === text)?.value;
}

const DIMENSIONS = [
  "question_type",
  "answer_length",
  "exact_match",
  "system",
  "system_family",
  "rater",
  "week",
  "protocol_version",
  "dataset",
] as const satisfies readonly AgreementDimension[];

/** The way of cutting the study that an address names, or none where it names none there is. */
export function dimensionOf(text: string | undefined): AgreementDimension | undefined {
  return DIMENSIONS.find((dimension) => dimension === text);
}

const STATES: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  open: { words: "Not decided yet", tone: "neutral" },
  disputed: { words: "Waits for a decision", tone: "warning" },
  decided: { words: "Decided", tone: "success" },
  unasked: { words: "Not asked of people", tone: "neutral" },
};

export function stateWords(state: string): { readonly words: string; readonly tone: Tone } {
  return STATES[state] ?? { words: state.replaceAll("_", " "), tone: "neutral" };
}

const SOURCES: Readonly<Record<string, string>> = {
  unanimous: "all raters agreed",
  majority: "majority of raters",
  adjudicated: "decided in the queue",
  prejudged: "settled by a judge",
  imported: "came with an import",
  reused: "decided in another project",
};

export function sourceWords(source: string | null): string {
  return source === null || source === "" ? "" : (SOURCES[source] ?? source.replaceAll("_", " "));
}
