import { describe, expect, it } from "vitest";
import { toggled } from "../../components/form";
import { requestOf, type RuleDraft } from "./policy-form";

const FIRST: RuleDraft = { runs: ["a"], condition: "any_accepts" };

describe("the policy's draft", () => {
  it("puts a run in and takes it out", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });

  it("sends the share as a share", () => {
    expect(requestOf([FIRST], "5").audit_share).toBeCloseTo(0.05);
  });
});
