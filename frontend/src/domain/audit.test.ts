import { describe, expect, it } from "vitest";
import { spokenWords } from "./judged";

describe("who spoke where programs settled answers", () => {
  it("is not said where people decided everything", () => {
    expect(spokenWords({ weighed: false, left_out: 0 })).toBe("");
  });

  it("is said with the weight of those drawn, and with what nobody checked", () => {
    expect(spokenWords({ weighed: true, left_out: 0 })).toBe(
      "Only answers that people decided count. Programs settled the others: each answer drawn for the audit stands for those it was drawn among.",
    );
    expect(spokenWords({ weighed: false, left_out: 12 })).toContain("Programs settled 12 answers of which");
  });
});
