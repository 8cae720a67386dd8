import { describe, expect, it } from "vitest";
import type { ImportCause } from "../../api/schema";
import { groupCauses, pooledWords } from "./states";
import { askedBy, askedWords, firstSentence, inOrder, toldOf } from "./warnings";

function groupOf(changed: Partial<ImportCause>) {
  const cause: ImportCause = {
    ...{ file: "a.jsonl", line: 1, column: "", severity: "warning", code: "new_code" },
    ...{ message: "One thing. Another.", count: 1, lines: [1] },
    ...changed,
  };
  const [group] = groupCauses([cause]);
  if (!group) throw new Error("no group");
  return group;
}

const CODES = [
  ...["answer_looks_missing", "empty_answers", "gold_differs", "list_prediction", "mojibake"],
  ...["repeated_row", "rows_without_answer", "two_answers", "unmatched_row", "vote_known"],
];

describe("a warning in one line", () => {
  it.each(CODES)("takes at most 18 words for %s, with its count", (code) => {
    const group = groupOf({ code, count: 1232 });
    const { line } = toldOf(group, {});
    expect(line.split(" ").length).toBeLessThanOrEqual(18);
    expect(line).toMatch(/^1/);
    expect(line).toMatch(/\.$/);
  });

  it("keeps what the line leaves out", () => {
    expect(toldOf(groupOf({ code: "two_answers" }), {}).rest).toBe("One thing. Another.");
    expect(toldOf(groupOf({ code: "two_answers", count: 95 }), {}).rest).toBe(
      "First case: One thing. Another.",
    );
  });

  it("shows one case of what is understood by it", () => {
    const message = "“B” differs from “A. B”. Correct the file.";
    expect(toldOf(groupOf({ code: "gold_differs", count: 95, line: 1232, message }), {})).toMatchObject({
      example: "Example (a.jsonl, line 1,232): “B” differs from “A. B”.",
      rest: "First case: Correct the file.",
    });
  });

  it("is the first sentence where the page has no words of its own", () => {
    expect(toldOf(groupOf({}), {})).toEqual({ line: "One thing.", example: "", rest: "Another." });
    expect(toldOf(groupOf({ count: 3 }), {}).line).toBe("One thing. (3 times)");
    const set = "Set “Passages” to “leave out.” Then try again.";
    expect(toldOf(groupOf({ message: set }), {})).toMatchObject({
      line: "Set “Passages” to “leave out.”",
      rest: "Then try again.",
    });
    const message = "2 of 12 systems answer only 301 of 3,610 questions: “A”, “B”. Compare them.";
    expect(toldOf(groupOf({ code: "uneven_coverage", message }), {})).toEqual({
      line: "2 of 12 systems answer only 301 of 3,610 questions.",
      example: "",
      rest: message,
    });
  });

  it("says what is done about garbled text and lists", () => {
    const line = (code: string, options: Record<string, string>) =>
      toldOf(groupOf({ code, count: 16 }), options).line;
    expect(line("mojibake", { mojibake: "keep" })).toBe(
      "16 texts look garbled. They are imported unchanged, so automatic judges may reject correct answers.",
    );
    expect(line("mojibake", { mojibake: "repair" })).toBe("16 garbled texts are repaired.");
    expect(line("list_prediction", { list_prediction: "split" })).toMatch(/Each is judged separately\.$/);
  });

  it("does not end inside of quotation marks", () => {
    expect(firstSentence("“Dr. No” is odd. Why?")).toBe("“Dr. No” is odd.");
    expect(firstSentence("“open. end")).toBe("“open. end");
    expect(firstSentence("a.jsonl is empty.")).toBe("a.jsonl is empty.");
  });
});

describe("what warnings ask", () => {
  it("comes in the order of need, what nobody knows among what is to be checked", () => {
    const codes = ["empty_answers", "mojibake", "list_prediction", "new_code"];
    const groups = [...codes.map((code) => groupOf({ code })), groupOf({ severity: "error" })];
    expect(inOrder(groups).map(askedBy)).toEqual(["repair", "check", "choose", "offer", "nothing"]);
  });

  it("is only offered of a setting at its recommended value that few rows are about", () => {
    const rows = {
      file: "a.jsonl",
      line: 1,
      column: "",
      severity: "warning" as const,
      message: "x",
      lines: [1],
    };
    const asked = (count: number) =>
      groupCauses([{ ...rows, code: "list_prediction", count }], 1000).map(askedBy);
    expect([asked(16), asked(600)]).toEqual([["offer"], ["choose"]]);
  });

  it("is said in one line", () => {
    const notes = groupOf({ code: "empty_answers" });
    const setting = groupOf({ code: "list_prediction" });
    expect(askedWords([])).toBe("");
    expect(askedWords([notes])).toBe("");
    expect(askedWords([setting, notes])).toBe("1 setting that you can change.");
    expect(askedWords([groupOf({}), notes])).toBe("1 warning to check.");
  });
});

describe("fewer answers than predictions", () => {
  it("are explained where answers are the same", () => {
    expect(pooledWords({ predictions: 36702, answers: 12345 })).toBe(
      "Matching answers to a question are judged once.",
    );
    expect(pooledWords({ predictions: 36702, answers: 11316, answers_known: 3531 })).toMatch(
      /which leaves 11,316 new distinct answers\.$/,
    );
    expect(pooledWords({ predictions: 3, answers: 3 })).toBe("");
    expect(pooledWords({ votes: 3 })).toBe("");
  });
});
