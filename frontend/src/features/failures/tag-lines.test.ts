import { describe, expect, it } from "vitest";
import { keyOf, linesOf, tagsOf } from "./words";

describe("tags as lines", () => {
  it("get a key from their name", () => {
    expect(["Too vague", " Élan! ", "…"].map(keyOf)).toEqual(["too-vague", "elan", ""]);
  });

  it("are read back as they were, with key and group", () => {
    const tags = [
      { key: "v", name: "Vague", meaning: "Says nothing.", example: "", group: "G", judges: "llm" as const },
    ];
    expect(tagsOf(linesOf(tags), tags)).toEqual(tags);
  });

  it("leave out empty lines", () => {
    expect(tagsOf("\nVague | Says nothing.\n\n", [])).toEqual([
      { key: "vague", name: "Vague", meaning: "Says nothing.", example: "", group: "", judges: "any" },
    ]);
  });
});
