import { describe, expect, it } from "vitest";
import type { ImportProblem } from "../../api/contract";
import { causesOf, lineWords } from "./problems";

function problem(line: number, code: string, severity: "error" | "warning" = "error"): ImportProblem {
  return { file: "a.jsonl", line, column: "", severity, code, message: code };
}

describe("causes", () => {
  it("gather equal problems and put those that stop the import first", () => {
    const causes = causesOf([problem(2, "odd", "warning"), problem(3, "broken"), problem(9, "broken")]);
    expect(causes.map(({ code, lines, count }) => [code, lines, count])).toEqual([
      ["broken", [3, 9], 2],
      ["odd", [2], 1],
    ]);
  });

  it("name no line where the whole file is meant", () => {
    expect(causesOf([problem(0, "empty_file")])[0]?.lines).toEqual([]);
  });
});

describe("line numbers", () => {
  it("join runs and count what is left out", () => {
    expect(lineWords([3, 7, 8, 9])).toBe("3, 7–9");
    expect(lineWords([1, 3, 5, 7, 8], 2)).toBe("1, 3 and 3 more");
  });
});
