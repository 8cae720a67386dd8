import { describe, expect, it } from "vitest";
import { withPublished } from "../lib/csv";
import {
  byMeasure,
  complaintsOf,
  EMPTY_DRAFT,
  inForce,
  measureName,
  type Published,
  publishedLine,
  publishedNote,
  referenceRows,
  requestOf,
  sourcesOf,
} from "./references";

function published(name: string, measure: string, more: Partial<Published> = {}): Published {
  return {
    subject: "system",
    name,
    measure,
    value: 0.5,
    n: null,
    about: "",
    source: "a paper",
    dataset: "",
    system: "",
    prompt: "",
    removed_at: null,
    ...more,
  };
}

const FULL = { ...EMPTY_DRAFT, name: " LCC ", measure: "exact_match", percent: "88.1", source: "a paper" };

describe("the form of a published number", () => {
  it("names what lacks", () => {
    expect(Object.keys(complaintsOf(EMPTY_DRAFT))).toEqual(["name", "words", "percent", "source"]);
    expect(complaintsOf(FULL)).toEqual({});
  });

  it.each(["101", "-100.5", "88,1", "much"])("refuses %s percent", (percent) => {
    expect(complaintsOf({ ...FULL, percent })).toHaveProperty("percent");
  });

  it.each(["0", "-1", "1.5", "x"])("refuses a count of %s", (n) => {
    expect(complaintsOf({ ...FULL, n })).toHaveProperty("n");
  });

  it("sends shares, and no count where none is known", () => {
    expect(requestOf(FULL, "system")).toMatchObject({ name: "LCC", value: 0.881, n: null });
  });

  it("sends words where the measure has no key", () => {
    const draft = { ...FULL, measure: "", words: " Recall at 5 " };
    expect(requestOf(draft, "judge")).toMatchObject({ subject: "judge", measure: "Recall at 5" });
  });
});

describe("published numbers in a table", () => {
  it("stand in one row by name and what they were measured on", () => {
    const rows = referenceRows(
      [
        published("a", "em"),
        published("a", "f1"),
        published("a", "em", { about: "2003" }),
        published("a", "em", { dataset: "nq" }),
        published("a", "recall"),
      ],
      byMeasure(["em", "f1"]),
    );
    expect(rows.map((row) => [row.name, publishedNote(row), Object.keys(row.scores)])).toEqual([
      ["a", "published", ["em", "f1"]],
      ["a", "published · 2003", ["em"]],
      ["a", "published · nq", ["em"]],
    ]);
  });

  it("stay out where they were taken out or are of judges", () => {
    const others = [
      published("a", "em", { removed_at: "2026-11-21T06:00:00Z" }),
      published("a", "em", { subject: "judge" }),
    ];
    expect(inForce(others, "system")).toEqual([]);
    expect(inForce(others, "judge")).toHaveLength(1);
  });

  it("name each source once in a file", () => {
    const scores = { em: published("a", "em"), f1: published("a", "f1", { source: "another" }) };
    expect(sourcesOf({ ...scores, again: published("a", "x") })).toBe("a paper | another");
  });

  it("call a measure by its column, else by its own words", () => {
    expect(measureName("em", [{ key: "em", name: "Exact match" }])).toBe("Exact match");
    expect(measureName("Recall at 5", [])).toBe("Recall at 5");
  });
});

describe("a file of a table with published numbers", () => {
  const rows = referenceRows(
    [published("GPT-3", "em"), published("GPT-3", "human")],
    byMeasure(["em", "human"]),
  );
  const own = [{ system: "FiD", em: 0.4, rank: 1 }];

  it("has them last, in the columns of the others, with where they were published", () => {
    const lines = withPublished(
      own,
      rows.map((row) => publishedLine(row, { system: row.name })),
    );
    expect(lines).toEqual([
      { system: "FiD", em: 0.4, rank: 1, published: "" },
      { system: "GPT-3", em: 0.5, rank: undefined, published: "a paper" },
    ]);
    expect(lines.map((line) => Object.keys(line))).toEqual(
      Array(2).fill(["system", "em", "rank", "published"]),
    );
  });
});
