import { describe, expect, it } from "vitest";
import { spokenWords } from "./judged";

describe("who spoke where programs settled answers", () => {
  it("is not said where people decided everything", () => {
    expect(spokenWords({ weighed: false, left_out: 0, undecided: 0, reach: "all" })).toBe("");
  });

  it("is said with the weight of those drawn, and with what nobody checked", () => {
    expect(spokenWords({ weighed: true, left_out: 0, undecided: 0, reach: "all" })).toBe(
      "These figures count only answers that people have decided. Automatic judges settled the other answers. Audited answers are weighted to represent them.",
    );
    expect(spokenWords({ weighed: false, left_out: 12, undecided: 0, reach: "all" })).toContain(
      "These figures exclude 12 answers that automatic judges settled",
    );
  });

  it("says of a part of the questions whether it speaks for the rest", () => {
    const spoken = { weighed: false, left_out: 0, undecided: 0 };
    expect(spokenWords({ ...spoken, reach: "random" })).toMatch(/are a random sample, so/);
    expect(spokenWords({ ...spoken, reach: "weighed" })).toMatch(/weighted by the inverse of their sampling/);
    expect(spokenWords({ ...spoken, reach: "chosen" })).toMatch(/do not apply to other questions/);
  });

  it("says that figures are preliminary while people have yet to decide the audit", () => {
    expect(spokenWords({ weighed: true, left_out: 0, undecided: 1, reach: "all" })).toMatch(
      /These figures are preliminary: 1 distinct answer is undecided, and answers decided first are not a random sample\.$/,
    );
  });
});
