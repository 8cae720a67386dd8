import { describe, expect, it } from "vitest";
import type { ImportCause } from "../../api/schema";
import { groupCauses, lineWords, placeWords } from "./states";

describe("line numbers", () => {
  it("join runs and count what is left out", () => {
    expect(lineWords([3, 7, 8, 9])).toBe("3, 7–9");
    expect(lineWords([1, 3, 5, 7, 8], 5, 2)).toBe("1, 3 and 3 more");
    expect(lineWords([1, 2, 3], 95)).toBe("1–3 and 92 more");
  });
});

describe("problems of one cause", () => {
  const makeCause = (changed: Partial<ImportCause>): ImportCause => ({
    file: "a.jsonl",
    line: 1,
    column: "",
    severity: "warning",
    code: "mojibake",
    message: "first",
    count: 1,
    lines: [1],
    ...changed,
  });

  it("are one line over all files, errors first, then what concerns all files", () => {
    const groups = groupCauses([
      makeCause({ count: 11, lines: [72, 118] }),
      makeCause({ file: "b.jsonl", message: "second", count: 2 }),
      makeCause({ file: "", line: 0, code: "uneven_coverage", lines: [] }),
      makeCause({ severity: "error", code: "no_question" }),
    ]);
    expect(groups.map(({ first, files, count }) => [first.code, first.message, files.length, count])).toEqual(
      [
        ["no_question", "first", 1, 1],
        ["uneven_coverage", "first", 1, 1],
        ["mojibake", "first", 2, 13],
      ],
    );
  });

  it("say where they are, unless they concern all files", () => {
    expect(placeWords(makeCause({ count: 11, lines: [72, 118] }))).toBe("a.jsonl, lines 72, 118 and 9 more");
    expect(placeWords(makeCause({ lines: [3] }))).toBe("a.jsonl, line 3");
    expect(placeWords(makeCause({ file: "", lines: [] }))).toBe("");
  });
});
