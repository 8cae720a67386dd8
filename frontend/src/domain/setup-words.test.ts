import { describe, expect, it } from "vitest";
import { makeSetup } from "../test/lead-cast";
import { annotatorsNeededWords, annotatorsToInvite } from "./annotators";
import { coverageWords } from "./sample";

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
});

describe("uneven coverage", () => {
  const of = { systems: 12, common: 301, uneven: 3309 };

  it.each([
    [0, 0, 0, ""],
    [2, 301, 301, "2 of 12 systems answer 301 of 3,610 questions."],
    [1, 301, 301, "1 of 12 systems answers 301 of 3,610 questions."],
    [5, 301, 2900, "5 of 12 systems answer only 301 to 2,900 of 3,610 questions."],
  ])("of %i systems, from %i to %i questions", (behind, fewest, most, said) => {
    expect(coverageWords({ ...of, behind, fewest, most }, 3610)).toBe(said);
  });
});
