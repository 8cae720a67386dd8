import { describe, expect, it } from "vitest";
import type { ImportCause, ImportColumn, ImportProblem } from "../../api/schema";
import {
  chosenMeaning,
  columnsToMap,
  isAskedAbout,
  meaningOf,
  optionsWith,
  systemOf,
  understoodAs,
  understoodColumns,
  valueWords,
} from "./options-form";

const UNKNOWN: ImportProblem = {
  file: "a.csv",
  line: 1,
  column: "frage",
  severity: "error",
  code: "unknown_column",
  message: "",
};

describe("a choice that a remark asks for", () => {
  const makeCause = (code: string): ImportCause => ({
    ...{ file: "a.csv", line: 1, column: "", severity: "warning", message: "", lines: [1], count: 1 },
    code,
  });

  it.each([
    ["common_prefix", "system_names", "as_in_file", "without_common_prefix"],
    ["list_prediction", "list_prediction", "first", "split"],
    ["mojibake", "mojibake", "keep", "repair"],
    ["bad_pattern", "bad_rows", "refuse", "leave_out"],
  ])("for %s is %s, stands before the others, and stays there once it is made", (code, name, unset, made) => {
    const option = { name, default: unset };
    expect(isAskedAbout({ causes: [], options: { [name]: unset } }, option)).toBe(false);
    expect(isAskedAbout({ causes: [makeCause(code)], options: {} }, option)).toBe(true);
    expect(isAskedAbout({ causes: [], options: { [name]: made } }, option)).toBe(true);
  });

  it("is not asked for where nothing calls for it", () => {
    const found = { causes: [makeCause("common_prefix")], options: { group: "a" } };
    expect(isAskedAbout(found, { name: "group", default: "" })).toBe(false);
    expect(isAskedAbout(found, { name: "mojibake", default: "keep" })).toBe(false);
  });
});

describe("the mapping of columns", () => {
  it("asks for the columns nobody knows, and keeps those already explained", () => {
    const left = { name: "notiz", meaning: "", system: "", values: ["x"] };
    const known = { name: "question", meaning: "question", system: "", values: ["Who?"] };
    const found = { columns: [left, known], problems: [UNKNOWN], options: { map: { antwort: "gold" } } };
    expect(columnsToMap(found)).toEqual(["antwort", "frage", "notiz"]);
  });

  it("gives each column of answers a system of its own, named after it until somebody says otherwise", () => {
    const mapping = {
      "GPT-4 output": chosenMeaning("prediction:", "GPT-4 output"),
      llama: "prediction:Llama 3",
    };
    expect(systemOf(mapping["GPT-4 output"])).toBe("GPT-4 output");
    expect(meaningOf(mapping.llama)).toBe("prediction:");
    expect(optionsWith({}, mapping)).toEqual({
      map: { "GPT-4 output": "prediction:GPT-4 output", llama: "prediction:Llama 3" },
    });
  });

  it("is sent only where something was explained", () => {
    expect(optionsWith({ mojibake: "keep" }, { frage: "" })).toEqual({ mojibake: "keep" });
    expect(optionsWith({}, { frage: "question" })).toEqual({ map: { frage: "question" } });
  });
});

describe("columns that were understood", () => {
  const column = (name: string, meaning: string, more: Partial<ImportColumn> = {}): ImportColumn => ({
    name,
    meaning,
    system: "",
    values: [],
    ...more,
  });
  const wide = column("answer_gpt", "prediction", { system: "gpt", values: ["Paris", "Rome"] });

  it("are all but those a person is asked about, or has explained", () => {
    const columns = [column("frage", ""), column("q", "question"), column("a", "gold"), wide];
    const found = { columns, problems: [UNKNOWN], options: { map: { a: "ignore" } } };
    expect(understoodColumns(found).map(({ name }) => name)).toEqual(["q", "answer_gpt"]);
  });

  it("say what they were taken for, and what they hold", () => {
    expect(understoodAs(column("q", "question"))).toBe("Question");
    expect(understoodAs(wide)).toBe("Answer by “gpt”");
    expect(understoodAs({ ...wide, meaning: "vote" })).toBe("Vote by “gpt”");
    expect(valueWords(wide)).toBe("Contains “Paris”, “Rome”");
    expect(valueWords(column("q", "question"))).toBe("This column is empty in the first rows.");
  });
});
