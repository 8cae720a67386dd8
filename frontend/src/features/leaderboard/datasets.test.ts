import { describe, expect, it } from "vitest";
import type { ByDataset } from "../../api/schema";
import { makeScore } from "../../test/figures";
import type { Published } from "../../domain/references";
import {
  datasetCsv,
  datasetGroups,
  finalOf,
  isBest,
  judgesOf,
  placedIn,
  publishedColumns,
  publishedScore,
  systemColumns,
  tablesOf,
  withPublishedPeople,
} from "./datasets";

const score = (correct: number) => makeScore(correct / 100, { correct });

const row = (
  dataset: string,
  column: string,
  kind: "judge" | "human",
  values: readonly (number | null)[],
) => ({
  dataset,
  column,
  name: column,
  kind,
  signature: column,
  scores: Object.fromEntries(
    values.map((value, place) => [`s${place}`, value === null ? null : score(value)]),
  ),
});

// Si et al., exact match and fuzzy match of GPT-3 and GPR.
const FOUND: ByDataset = {
  signature: "",
  programs_share: 0,
  datasets: [
    { name: "NQ", questions: 100, pending: 0 },
    { name: "TriviaQA", questions: 100, pending: 0 },
    { name: "silent", questions: 3, pending: 0 },
  ],
  systems: [
    { system: "s0", label: "GPT-3" },
    { system: "s1", label: "GPR" },
  ],
  rows: [
    row("NQ", "exact_match", "judge", [24, 29]),
    row("NQ", "human", "human", [40, 40]),
    row("TriviaQA", "exact_match", "judge", [53, null]),
  ],
};

describe("scores by data set", () => {
  it("say people's score once where all is decided, and twice where it differs", () => {
    const both = (decided: number): ByDataset => ({
      ...FOUND,
      rows: [row("NQ", "human", "human", [40, 40]), row("NQ", "human_decided", "human", [40, decided])],
    });
    const shown = (found: ByDataset) => [
      judgesOf(found).map(({ column }) => column),
      datasetGroups(found).flatMap(({ rows }) => rows.map(({ column }) => column)),
    ];
    expect(shown(both(40))).toEqual([["human"], ["human"]]);
    expect(shown(both(41))).toEqual([
      ["human", "human_decided"],
      ["human", "human_decided"],
    ]);
  });

  it("are final for a system that the audit corrects on each of its data sets", () => {
    const rows = [
      ...FOUND.rows,
      row("NQ", "corrected", "human", [41, 42]),
      row("TriviaQA", "corrected", "human", [null, null]),
    ];
    expect(finalOf({ ...FOUND, rows })).toEqual({ final: ["GPR"], others: ["GPT-3"] });
  });

  it("stand under their data set, people first; one that nobody judged is left out", () => {
    expect(
      datasetGroups(FOUND).map(({ dataset, rows }) => [dataset.name, rows.map(({ column }) => column)]),
    ).toEqual([
      ["NQ", ["human", "exact_match"]],
      ["TriviaQA", ["exact_match"]],
    ]);
  });

  it("mark the best of a row, both where two are level, and nobody alone", () => {
    const best = FOUND.rows.map((each) =>
      Object.values(each.scores).flatMap((own) => (own && isBest(each, own) ? [own.correct] : [])),
    );
    expect(best).toEqual([[29], [40, 40], []]);
  });

  it("are saved with a line for each score", () => {
    const lines = datasetCsv(FOUND);
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatchObject({ dataset: "NQ", judged_by: "exact_match", label: "GPR", correct: 29 });
  });

  it("stand in one table where data sets share their systems, else in one each", () => {
    const groups = datasetGroups(FOUND);
    expect(tablesOf(groups).map((own) => own.length)).toEqual([1, 1]);
    expect(tablesOf(groups.slice(0, 1))).toHaveLength(1);
    const [first] = groups;
    expect(first && tablesOf([first, first]).map((own) => own.length)).toEqual([2]);
  });
});

describe("a system with a file for each data set", () => {
  const systems = FOUND.systems.map(({ system }) => ({ system, label: "GPT-3" }));

  it("is one column by its label", () => {
    const rows = [row("NQ", "em", "judge", [24, null]), row("TriviaQA", "em", "judge", [null, 53])];
    expect(systemColumns({ ...FOUND, systems, rows })).toMatchObject([
      { label: "GPT-3", systems: ["s0", "s1"] },
    ]);
  });

  it("is told apart by name where two of one label answered the same", () => {
    expect(systemColumns({ ...FOUND, systems }).map(({ label }) => label)).toEqual([
      "GPT-3 (s0)",
      "GPT-3 (s1)",
    ]);
  });
});

describe("published numbers by data set", () => {
  const published = (dataset: string, measure: string, value: number): Published => ({
    subject: "system",
    name: "GPT-3 of the paper",
    measure,
    value,
    n: null,
    about: "",
    source: "Si et al.",
    dataset,
    system: "",
    prompt: "",
    removed_at: null,
  });
  const KEPT = [published("NQ", "exact_match", 0.25), published("NQ", "fuzzy_match", 0.29)];

  it("of people have a row where nobody judged, in the data sets they are of", () => {
    const human = published("TriviaQA", "human", 0.7);
    const shown = withPublishedPeople(FOUND, [human, published("NQ", "human", 0.4)]);
    const [nq, triviaqa] = datasetGroups(shown, [human]);
    expect(nq?.rows.map(({ column }) => column)).toEqual(["human", "exact_match"]);
    expect(triviaqa?.rows.map(({ column }) => column)).toEqual(["human", "exact_match"]);
    expect(triviaqa?.published[0]?.scores["human"]?.value).toBe(0.7);
    expect(datasetCsv(shown, [human]).at(-1)).toMatchObject({ judged_by: "human", value: 0.7 });
  });

  it("have a column where a row fits, and none elsewhere", () => {
    const groups = datasetGroups(FOUND, [...KEPT, published("", "exact_match", 0.9)]);
    const [nq, tq] = groups;
    const [column] = publishedColumns(groups);
    if (!nq || !tq || !column) throw new Error("two data sets and a column");
    expect(publishedColumns(groups)).toHaveLength(1);
    expect(publishedScore(nq, column, "exact_match")?.value).toBe(0.25);
    expect(publishedScore(nq, column, "human")).toBeUndefined();
    expect(publishedScore(tq, column, "exact_match")).toBeUndefined();
  });

  it("leave who is best in a row as it was", () => {
    const best = (kept: readonly Published[]) =>
      datasetGroups(FOUND, kept).flatMap(({ rows }) =>
        rows.map((each) => Object.values(each.scores).filter((own) => own && isBest(each, own)).length),
      );
    expect(best([published("NQ", "exact_match", 0.99)])).toEqual(best([]));
  });

  it("belong to the only data set there is", () => {
    const kept = [published("", "exact_match", 0.25)];
    expect(placedIn(kept, ["NQ"])[0]?.dataset).toBe("NQ");
    expect(placedIn(kept, ["NQ", "TriviaQA"])[0]?.dataset).toBe("");
    expect(placedIn(kept, [])[0]?.dataset).toBe("");
  });

  it("stand last in the file, with their source where the others have nothing", () => {
    const rows = datasetCsv(FOUND, KEPT);
    expect(rows.map((each) => each.published).slice(-2)).toEqual(["", "Si et al."]);
    expect(rows.at(-1)).toMatchObject({ dataset: "NQ", judged_by: "exact_match", value: 0.25, low: null });
    expect(new Set(rows.map((each) => Object.keys(each).join())).size).toBe(1);
  });
});
