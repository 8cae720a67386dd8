import { describe, expect, it } from "vitest";
import { optionLabel, optionValue, optionWords } from "./option-words";

describe("a run's options", () => {
  it("are said in words, without those that are empty", () => {
    const options = {
      ...{ match: "contained", empty_gold: "refuse", split: "none", gold: "original" },
      ...{ threshold: 0.5, anchored: false, prompt: "" },
    };
    expect(optionWords({ options, members: [] })).toBe(
      "Match: Answer contains a gold answer · Gold answers without words: Leave out · Separator between gold answers: None · Gold answers: As imported · Threshold: 0.5 · Match the whole answer: No",
    );
  });

  it("of a jury name its members", () => {
    const options = { members: "r1,r2", rule: "majority" };
    expect(optionWords({ options, members: ["Exact match", "GPT-4"] })).toBe(
      "Judges to combine: Exact match, GPT-4 · Decision rule: More than half of the judges accept",
    );
  });

  it("of a language model are said as its prompt's page says them", () => {
    expect(optionValue("parser", "auto")).toBe("As the prompt specifies");
    expect(optionValue("parser", "first-word")).toBe("First word");
    expect(optionValue("max_tokens", 2000)).toBe("2,000");
    expect(optionValue("seed", 2026)).toBe("2026");
    expect(optionValue("layer", -1)).toBe("All");
  });

  it("of a judge from another package go by their own names", () => {
    expect(optionLabel("odd_option")).toBe("Odd option");
    expect(optionValue("odd_option", "as_it_is")).toBe("as_it_is");
  });
});
