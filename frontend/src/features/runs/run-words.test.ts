import { describe, expect, it } from "vitest";
import type { Judge, Run } from "../../api/schema";
import { takesLong } from "./run-form";
import {
  adviceWords,
  isLasting,
  restWords,
  resultWords,
  scopeWords,
  servedTitle,
  servedWords,
} from "./run-words";

const CONNECTION: NonNullable<Run["connection"]> = {
  id: "c",
  name: "Mock",
  api: "openai",
  model: "m",
  resting_until: null,
};
const REST: NonNullable<Run["rest"]> = {
  answers: 5,
  cost: "0.5",
  input_tokens: 100,
  output_tokens: 10,
  seconds: 120,
};

describe("how much is judged", () => {
  it("leaves out what could not be judged", () => {
    expect(resultWords({ done: 12655, failed: 0, total: 12655, unscored: 10 })).toBe(
      "12,645 answers judged · 10 could not be judged",
    );
    expect(resultWords({ done: 60, failed: 5, total: 100, unscored: 10 })).toBe(
      "50 of 100 answers judged · 10 could not be judged · 5 failed",
    );
    expect(resultWords({ done: 100, failed: 0, total: 100, unscored: 0 })).toBe("100 of 100 answers judged");
  });
});

describe("what the rest after a sample would take", () => {
  it("is money and time where a model is paid for", () => {
    expect(restWords({ rest: REST, connection: CONNECTION })).toMatch(
      /^Based on this sample, judging the other 5 answers would cost about \$0\.50 and take about .+\.$/,
    );
  });

  it("is time alone where nothing is paid, and money alone where nobody knows the time", () => {
    expect(restWords({ rest: REST, connection: null })).toMatch(
      /^Based on this sample, judging the other 5 answers would take about /,
    );
    expect(restWords({ rest: { ...REST, seconds: null }, connection: CONNECTION })).toMatch(
      /would cost about \$0\.50\.$/,
    );
    expect(restWords({ rest: { ...REST, seconds: null }, connection: null })).toBe(
      "The other 5 answers are not judged yet.",
    );
  });

  it("is not said of a run that is no sample", () => {
    expect(restWords({ rest: null, connection: CONNECTION })).toBe("");
  });
});

describe("the answers of a run", () => {
  it("are named where they are not all", () => {
    expect(scopeWords({ only_judged: false, dataset: "", system: "" })).toBe("");
    expect(scopeWords({ only_judged: true, dataset: "nq", system: "GPT-4" })).toBe(
      "Limited to answers that people judge, data set nq, system GPT-4.",
    );
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

describe("the model that was served", () => {
  const served = (model: string, fingerprint: string, answers: number, last = "2026-11-22") => ({
    model,
    fingerprint,
    replies: answers,
    answers,
    first_at: "2026-11-22T00:00:00Z",
    last_at: `${last}T01:00:00Z`,
  });

  it("is named with its fingerprint, where the provider tells them", () => {
    expect(servedWords({ served: [] })).toBe("");
    expect(servedWords({ served: [served("m-2026", "", 5)] })).toBe("The provider served m-2026.");
    expect(servedWords({ served: [served("m-2026", "fp_1", 5)] })).toBe(
      "The provider served m-2026 (fingerprint fp_1).",
    );
  });

  it("is told with its answers and days where there is another", () => {
    const two = [served("m-05", "", 1_200, "2026-11-24"), served("m-08", "fp", 1)];
    expect(servedTitle({ served: two })).toBe("2 models served this run");
    expect(servedWords({ served: two })).toMatch(
      /^m-05: 1,200 answers, Nov 22, 2026 to Nov 24, 2026; m-08 \(fingerprint fp\): 1 answer, Nov 22, 2026\. This run’s figures combine verdicts of all/,
    );
  });

  it("is the same model where only its fingerprint changed", () => {
    const two = [served("m", "fp_1", 2), served("m", "fp_2", 1)];
    expect(servedTitle({ served: two })).toMatch(/configuration/);
  });

  it("is counted beyond some", () => {
    const many = ["a", "b", "c", "d", "e", "f", "g"].map((name) => served(name, "", 1));
    expect(servedWords({ served: many })).toContain("e: 1 answer, Nov 22, 2026; and 2 more.");
  });
});

describe("an answer that can never have a verdict", () => {
  it("says why, and is not tried again", () => {
    expect(isLasting("empty_answer")).toBe(true);
    expect(adviceWords("empty_answer", { options: {} })).toBe("This judge cannot judge an empty answer.");
    expect(isLasting("timeout")).toBe(false);
  });
});

describe("a reply that was cut off", () => {
  it("says at what, and that the same limit would cut it again", () => {
    expect(adviceWords("truncated", { options: { max_tokens: 100 } })).toMatch(
      /^The reply was cut off at the limit of 100 tokens.* Start a new run with a higher limit under “Maximum tokens per reply\.”$/,
    );
    expect(adviceWords("unparsable", { options: { max_tokens: 100 } })).toBe("");
  });
});
