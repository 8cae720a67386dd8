import { describe, expect, it } from "vitest";
import { fileNameOf } from "./save-file";

describe("fileNameOf", () => {
  it("puts words into letters that every system takes", () => {
    expect(fileNameOf("nq301", "Rank of each system (1 is best)")).toBe(
      "nq301-rank-of-each-system-1-is-best",
    );
    expect(fileNameOf("", "Écart-type ../x")).toBe("ecart-type-x");
  });

  it("stays short and is never empty", () => {
    expect(fileNameOf("a".repeat(90))).toHaveLength(60);
    expect(fileNameOf("", "…")).toBe("chart");
  });
});
