import { describe, expect, it } from "vitest";
import { spokenWords } from "./judged";

describe("who spoke where programs settled answers", () => {
  it("is not said where people decided everything", () => {
    expect(spokenWords({ weighed: false, left_out: 0, reach: "all" })).toBe("");
  });

  it("is said with the weight of those drawn, and with what nobody checked", () => {
    expect(spokenWords({ weighed: true, left_out: 0, reach: "all" })).toBe(
      "Only answers that people decided count. Programs settled the others: each answer drawn for the audit stands for those it was drawn among.",
    );
    expect(spokenWords({ weighed: false, left_out: 12, reach: "all" })).toContain(
      "Programs settled 12 answers of which",
    );
  });

  it("says of a part of the questions whether it speaks for the rest", () => {
    const spoken = { weighed: false, left_out: 0 };
    expect(spokenWords({ ...spoken, reach: "random" })).toMatch(/random sample of all questions/);
    expect(spokenWords({ ...spoken, reach: "weighed" })).toMatch(/different probabilities/);
    expect(spokenWords({ ...spoken, reach: "chosen" })).toMatch(/say nothing of the other questions/);
  });
});
