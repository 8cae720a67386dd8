import { describe, expect, it } from "vitest";
import { countWords, firstRowsWords, titleOf } from "./states";

const filesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${at}.jsonl`, size: 1 }));

describe("the counts of an import", () => {
  it("say the same number once", () => {
    const counts = { questions: 3610, answers: 12345, answers_to_judge: 12345 };
    expect(countWords(counts)).toBe("3,610 questions · 12,345 distinct answers");
    expect(countWords({ ...counts, answers_to_judge: 40 })).toMatch(/12,345 distinct answers · 40 answers/);
    expect(countWords({ answers: 12345, answers_to_judge: 0 })).toBe("12,345 distinct answers");
  });
});

describe("the headings of an import", () => {
  it("name one file, and count several", () => {
    expect(titleOf({ files: filesOf(1) })).toBe("0.jsonl");
    expect(titleOf({ files: filesOf(12) })).toBe("Import of 12 files");
  });

  it("say which files the first rows are from", () => {
    const rows = (count: number) => filesOf(count).flatMap(({ name: file }) => [{ file }, { file }]);
    expect(firstRowsWords({ files: filesOf(1), sample: [{ line: 1 }] })).toBe("First rows");
    expect(firstRowsWords({ files: filesOf(3), sample: rows(3) })).toBe("First rows of each file");
    expect(firstRowsWords({ files: filesOf(12), sample: rows(10) })).toBe("Example rows");
  });
});
