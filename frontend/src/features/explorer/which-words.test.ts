import { describe, expect, it } from "vitest";
import { whichWords } from "./which-answers";

const NAMES: Readonly<Record<string, string>> = { r1: "BEM", r2: "GPT-4" };
const words = (said: object, run?: string) =>
  whichWords(
    { run, said, question: undefined, cell: undefined, dispute: undefined },
    (id) => NAMES[id] ?? "the judge",
  );

describe("the words for which answers are listed", () => {
  it("name the judge that errs", () => {
    expect(words({ accepted_by: "r1", rejected_by: "people" })).toBe("that BEM accepts and people reject");
    expect(words({}, "r2")).toBe("on which GPT-4 and people disagree");
  });

  it("name both of two judges", () => {
    expect(words({ accepted_by: "r1", rejected_by: "r2" })).toBe("that BEM accepts and GPT-4 rejects");
  });

  it("are none where all answers are listed", () => {
    expect(words({})).toBe("");
  });
});
