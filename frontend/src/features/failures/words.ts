/** Rounds, filters and subjects in words. */
import type { RoundFilter, TaggingRound } from "../../api/contract";
import { countOf } from "../../lib/numbers";

export const PEOPLE = [
  { value: "any", name: "Anything" },
  { value: "accept", name: "Correct" },
  { value: "possibly", name: "Possibly correct" },
  { value: "accept_or_possibly", name: "Correct or possibly" },
  { value: "reject", name: "Incorrect" },
] as const;

export const SAID = [
  { value: "any", name: "Anything" },
  { value: "accepts", name: "Accepts" },
  { value: "rejects", name: "Rejects" },
  { value: "errs", name: "Something else than people" },
] as const;

export const FLAGS = [
  { value: "", name: "Any or none" },
  { value: "ambiguous", name: "Ambiguous" },
  { value: "time_dependent", name: "Depends on time" },
  { value: "list", name: "Asks for a list" },
  { value: "gold_improper", name: "Gold improper" },
  { value: "unclear", name: "Unclear" },
] as const;

export const PROPOSALS = [
  { value: "none", name: "None" },
  { value: "shown", name: "Shown, to be confirmed" },
  { value: "hidden", name: "Hidden until a person has spoken" },
] as const;

const SUBJECTS = { answer: "answer", question: "question", verdict: "verdict" } as const;

export function subjectOf(subject: TaggingRound["subject"]): string {
  return SUBJECTS[subject];
}

/** "3 of 50 answers tagged; people confirmed 12 of 20 proposals." */
export function progressWords(round: TaggingRound): string {
  const words = `${round.done} of ${countOf(round.total, subjectOf(round.subject))} tagged`;
  return round.proposed === 0
    ? words
    : `${words} · people said what was proposed in ${round.agreed} of ${round.proposed}`;
}

const nameIn = (options: readonly { readonly value: string; readonly name: string }[], value: string) =>
  options.find((option) => option.value === value)?.name.toLowerCase() ?? value;

/** What a round drew from, as one line. */
export function filterWords(filter: RoundFilter, judge: string): string {
  const { people = "any", said = "any", flag = "", beyond_gold: beyondGold = false } = filter;
  const parts = [
    people === "any" ? "" : `people: ${nameIn(PEOPLE, people)}`,
    judge === "" ? "" : `${judge}: ${said === "any" ? "any verdict" : nameIn(SAID, said)}`,
    filter.system ? "one system" : "",
    flag ? `flagged ${nameIn(FLAGS, flag)}` : "",
    beyondGold ? "equal to no gold answer" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "all decided answers" : parts.join(" · ");
}
