import { describe, expect, it } from "vitest";
import { makeSetup } from "../test/lead-cast";
import { shareWords } from "./sample";
import {
  annotatorsNeededWords,
  annotatorsToInvite,
  stepToVotes,
  tieBreakWords,
  withoutLastWords,
} from "./annotators";

describe("annotators that a protocol lacks", () => {
  const words = (needed: number, present: number) =>
    annotatorsNeededWords(makeSetup({ annotators_needed: needed, annotators_present: present }));

  it.each([
    [3, 2, "This protocol needs a third annotator."],
    [2, 1, "This protocol needs a second annotator."],
    [3, 1, "This protocol needs 3 annotators; 1 has joined."],
    [4, 2, "This protocol needs 4 annotators; 2 have joined."],
    [3, 0, "This protocol needs 3 annotators."],
    [1, 0, "This protocol needs 1 annotator."],
    [3, 3, ""],
    [2, 5, ""],
  ])("of %i with %i: %s", (needed, present, said) => {
    expect(words(needed, present)).toBe(said);
  });

  it("are invited unless an open link stands for them", () => {
    const people = { annotators_needed: 3, annotators_present: 1 };
    expect(annotatorsToInvite({ ...people, invited: 1 })).toBe(1);
    expect(annotatorsToInvite({ ...people, invited: 4 })).toBe(0);
  });

  it.each([
    [2, 3, 2, "2 annotators judge each answer. If they disagree, a third judges it."],
    [3, 4, 3, "3 annotators judge each answer. If they disagree, a fourth judges it."],
    // No tie-break; two groups; a judge that stands for the second.
    [2, 2, 2, ""],
    [4, 6, 2, ""],
    [2, 3, 1, ""],
  ])("are more than the %i that judge each answer: %i, %i, %s", (first, needed, asked, said) => {
    const setup = { annotators_with_lead: first, annotators_needed: needed, raters_per_answer: asked };
    expect(tieBreakWords(setup)).toBe(said);
    // Who decides where that one never joins is said only where the sentence before it is.
    expect(withoutLastWords(setup)).toMatch(
      said === "" ? /^$/ : /^If no (third|fourth) annotator joins, you decide those answers$/,
    );
  });

  it.each([
    ["View progress", { is_ready: true }],
    ["Invite 2 annotators", { is_ready: false, annotators_present: 0, invited: 1 }],
    ["Manage invitations", { is_ready: false, annotators_present: 0, invited: 3 }],
    ["Set up human judging", { is_ready: false, annotators_needed: 0, annotators_present: 0 }],
  ])("lead to: %s", (words, changed) => {
    expect(stepToVotes(makeSetup(changed)).words).toBe(words);
  });
});

describe("what awaits each annotator", () => {
  it.each([
    [{ answers: 910, seconds: 27_260 }, "about 910 answers, about 8 hours in all"],
    [{ answers: 40, seconds: 1_200 }, "about 40 answers, about 20 minutes in all"],
    [{ answers: 1, seconds: 20 }, "about 1 answer, about 1 minute in all"],
    [null, ""],
  ])("%j is said as: %s", (load, said) => {
    expect(shareWords(load)).toBe(said);
  });
});
