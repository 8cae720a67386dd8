import { describe, expect, it } from "vitest";
import type { TagSet } from "../../api/schema";
import { requestOf, usualFilter } from "./round-form";

const RUNS = [
  { id: "r1", name: "Token F1", signature: "" },
  { id: "r2", name: "Exact match", signature: "" },
];

const set = (key: string, subject: TagSet["subject"] = "answer") => ({ key, subject }) as TagSet;

describe("a new round", () => {
  it("begins with what its set is made to explain", () => {
    expect(usualFilter(set("kamalloo"), RUNS)).toEqual({ people: "accept", run: "r2", said: "rejects" });
    expect(usualFilter(set("evouna-evaluators", "verdict"), RUNS)).toEqual({ run: "r1", said: "errs" });
    expect(usualFilter(set("own"), RUNS)).toEqual({});
  });

  it("asks for no judge where there is none", () => {
    expect(usualFilter(set("kamalloo"), [])).toEqual({});
  });

  it("takes all where no size is given, and seed 1 where none is", () => {
    const form = {
      name: " ",
      set: "own",
      filter: {},
      size: "",
      seed: "x",
      proposals: "none" as const,
      connection: "c",
      cap: "1",
      taggers: [],
    };
    expect(requestOf(form)).toMatchObject({ name: "", size: null, seed: 1, connection: "", spend_cap: null });
    const proposed = { ...form, proposals: "hidden" as const };
    expect(requestOf(proposed)).toMatchObject({ connection: "c", spend_cap: "1" });
    expect(requestOf({ ...proposed, connection: "" })).toMatchObject({ connection: "", spend_cap: null });
  });
});
