import { describe, expect, it } from "vitest";
import type { Judge } from "../../api/contract";
import { valuesOf } from "./option-values";

const JUDGE: Judge = {
  key: "token_f1",
  name: "Token F1",
  summary: "",
  reads: "golds",
  needs: "nothing",
  source: "",
  extra: null,
  available: true,
  options: [
    { name: "threshold", type: "float", default: 0.5, choices: null, help: "" },
    { name: "guarded", type: "bool", default: false, choices: null, help: "" },
    { name: "gold", type: "str", default: "original", choices: ["original", "amended"], help: "" },
  ],
};

describe("the options of a judge", () => {
  it("are sent as the types its description asks for", () => {
    expect(valuesOf(JUDGE, { threshold: "0.8", guarded: "true", gold: "amended" })).toEqual({
      threshold: 0.8,
      guarded: true,
      gold: "amended",
    });
  });

  it("are left out where they are the judge's own defaults", () => {
    expect(valuesOf(JUDGE, { threshold: "0.5" })).toEqual({});
  });

  it("are sent as typed where they are no number, so that the server can complain", () => {
    expect(valuesOf(JUDGE, { threshold: "high" })).toEqual({ threshold: "high" });
  });
});
