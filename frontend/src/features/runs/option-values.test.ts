import { describe, expect, it } from "vitest";
import type { Judge } from "../../api/schema";
import { hintOf, valuesOf } from "./judge-options";

const OPTION = { choices: null, help: "", low: null, high: null };
const JUDGE: Judge = {
  key: "token_f1",
  name: "Token F1",
  summary: "",
  limit: "",
  reads: "golds",
  is_lexical: false,
  needs: "nothing",
  source: "",
  extra: null,
  family: "lexical",
  package: "",
  installation: "",
  available: true,
  options: [
    { ...OPTION, name: "threshold", type: "float", default: 0.5, help: "Enough.", low: 0, high: 1 },
    { ...OPTION, name: "guarded", type: "bool", default: false },
    { ...OPTION, name: "gold", type: "str", default: "original", choices: ["original", "amended"] },
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

describe("the hint of an option", () => {
  it("says which numbers will be taken", () => {
    expect(JUDGE.options.map(hintOf)).toEqual(["Enough. Enter a number from 0 to 1.", "", ""]);
  });
});
