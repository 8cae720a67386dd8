import { describe, expect, it } from "vitest";
import type { ImportProblem } from "../../api/contract";
import { columnsToMap, optionsWith } from "./mapping";

const UNKNOWN: ImportProblem = {
  file: "a.csv",
  line: 1,
  column: "frage",
  severity: "error",
  code: "unknown_column",
  message: "",
};

describe("the mapping of columns", () => {
  it("asks for the columns nobody knows, and keeps those already explained", () => {
    expect(columnsToMap({ problems: [UNKNOWN], options: { map: { antwort: "gold" } } })).toEqual([
      "antwort",
      "frage",
    ]);
  });

  it("is sent only where something was explained", () => {
    expect(optionsWith({ mojibake: "keep" }, { frage: "" })).toEqual({ mojibake: "keep" });
    expect(optionsWith({}, { frage: "question" })).toEqual({ map: { frage: "question" } });
  });
});
