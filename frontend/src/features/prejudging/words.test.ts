import { describe, expect, it } from "vitest";
import { runWords, tellApart } from "./words";

const RUN = {
  id: "a",
  judge: "token_f1",
  name: "Token F1",
  signature: "threshold:0.5",
  state: "finished",
  judged: 8,
};
const OTHER = { ...RUN, id: "b", signature: "threshold:0.8" };
const ALONE = { ...RUN, id: "c", name: "Exact match" };

describe("a run that a rule may read", () => {
  it("says how many verdicts count, and where it never came to its end", () => {
    expect(runWords(RUN)).toBe("Token F1 (8 verdicts)");
    expect(runWords({ ...RUN, state: "cancelled" })).toBe("Token F1 (8 verdicts, stopped)");
    expect(runWords({ ...RUN, judged: 1, state: "sampled" })).toBe("Token F1 (1 verdict, only a sample)");
  });

  it("shows its signature where another has its name", () => {
    const runs = [RUN, OTHER, ALONE];
    expect(runs.map((run) => tellApart(run, runs))).toEqual(["threshold:0.5", "threshold:0.8", undefined]);
  });
});
