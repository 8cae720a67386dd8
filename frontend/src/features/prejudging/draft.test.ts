import { describe, expect, it } from "vitest";
import { moved, requestOf, type RuleDraft, toggled } from "./draft";

const FIRST: RuleDraft = { runs: ["a"], condition: "any_accepts" };
const SECOND: RuleDraft = { runs: ["b", "c"], condition: "all_agree" };

describe("the policy's draft", () => {
  it("moves a rule and leaves the ends where they are", () => {
    expect(moved([FIRST, SECOND], 1, -1)).toEqual([SECOND, FIRST]);
    expect(moved([FIRST, SECOND], 0, -1)).toEqual([FIRST, SECOND]);
    expect(moved([FIRST, SECOND], 1, 1)).toEqual([FIRST, SECOND]);
  });

  it("puts a run in and takes it out", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });

  it("sends the share as a share", () => {
    expect(requestOf([FIRST], "5").audit_share).toBeCloseTo(0.05);
  });
});
