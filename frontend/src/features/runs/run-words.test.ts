import { describe, expect, it } from "vitest";
import type { Judge, Run } from "../../api/contract";
import { takesLong } from "./run-draft";
import { restWords } from "./run-words";

const CONNECTION: NonNullable<Run["connection"]> = { id: "c", name: "Mock", model: "m", resting_until: null };
const REST: NonNullable<Run["rest"]> = {
  answers: 5,
  cost: "0.5",
  input_tokens: 100,
  output_tokens: 10,
  seconds: 120,
};

describe("what the rest after a sample would take", () => {
  it("is money and time where a model is paid for", () => {
    expect(restWords({ rest: REST, connection: CONNECTION })).toMatch(
      /^The other 5 answers would cost about \$0\.50 and take about .+, going by this sample\.$/,
    );
  });

  it("is time alone where nothing is paid, and money alone where nobody knows the time", () => {
    expect(restWords({ rest: REST, connection: null })).toMatch(/^The other 5 answers would take about /);
    expect(restWords({ rest: { ...REST, seconds: null }, connection: CONNECTION })).toMatch(
      /would cost about \$0\.50, going by this sample\.$/,
    );
    expect(restWords({ rest: { ...REST, seconds: null }, connection: null })).toBe(
      "The other 5 answers are not judged yet.",
    );
  });

  it("is not said of a run that is no sample", () => {
    expect(restWords({ rest: null, connection: CONNECTION })).toBe("");
  });
});

describe("a sample first", () => {
  it("is offered for judges that ask or compute with a model", () => {
    const needs = (each: Partial<Judge>) => takesLong({ needs: "nothing", extra: null, ...each } as Judge);
    expect([needs({}), needs({ needs: "connection" }), needs({ extra: "neural" })]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
