import { describe, expect, it } from "vitest";
import { toggled } from "../../components/form";
import { isAlone, requestOf, type RuleDraft } from "./draft";

const FIRST: RuleDraft = { runs: ["a"], condition: "any_accepts", sure: null, certificate: "" };

describe("the policy's draft", () => {
  it("puts a run in and takes it out", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });

  it("sends how sure a judge must be as a share, and nothing where every verdict counts", () => {
    const request = requestOf([FIRST, { ...FIRST, sure: "97.5" }], "5");
    expect(request.rules?.map(({ threshold }) => threshold)).toEqual([null, 0.975]);
  });

  it("leaves to a certificate how sure the judge must be", () => {
    const request = requestOf([{ ...FIRST, sure: "", certificate: "c" }], "5");
    expect(request.rules?.map(({ threshold }) => threshold)).toEqual([null]);
  });

  it("knows a judge that has nobody to agree with", () => {
    const alone: RuleDraft = { ...FIRST, condition: "all_agree" };
    expect(isAlone(alone)).toBe(true);
    expect([FIRST, { ...alone, sure: "" }, { ...alone, runs: ["a", "b"] }].map(isAlone)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("sends the share as a share", () => {
    expect(requestOf([FIRST], "5").audit_share).toBeCloseTo(0.05);
  });
});
