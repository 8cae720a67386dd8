import { describe, expect, it } from "vitest";
import type { ImportColumn, ImportProblem } from "../../api/schema";
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
  const remark: ImportProblem = { ...UNKNOWN, severity: "warning", code: "common_prefix" };

  it("stands before the others, and stays there once it is made", () => {
    expect(isAskedAbout({ problems: [remark], options: {} }, "system_names")).toBe(true);
    const made = { problems: [], options: { system_names: "without_common_prefix" } };
    expect(isAskedAbout(made, "system_names")).toBe(true);
  });

  it("is not asked for where nothing calls for it", () => {
    const found = { problems: [UNKNOWN], options: { system_names: "as_in_file", group: "a" } };
    expect(isAskedAbout(found, "system_names")).toBe(false);
    expect(isAskedAbout({ ...found, problems: [remark] }, "group")).toBe(false);
  });
});

describe("the mapping of columns", () => {
  it("asks for the columns nobody knows, and keeps those already explained", () => {
    expect(columnsToMap({ problems: [UNKNOWN], options: { map: { antwort: "gold" } } })).toEqual([
      "antwort",
      "frage",
    ]);
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
    expect(understoodAs(wide)).toBe("Answer of “gpt”");
    expect(valueWords(wide)).toBe("Holds “Paris”, “Rome”");
    expect(valueWords(column("q", "question"))).toBe("Empty in the first rows.");
  });
});
