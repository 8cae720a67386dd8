import { describe, expect, it } from "vitest";
import type { ByDataset } from "../../api/contract";
import { datasetCsv, datasetGroups, isBest, systemColumns, tablesOf } from "./datasets";

const score = (correct: number) => ({
  value: correct / 100,
  correct,
  n: 100,
  low: null,
  high: null,
  rank: null,
});

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
