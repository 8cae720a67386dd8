import { describe, expect, it } from "vitest";
import type { ComparedReference, Comparison, Evaluator } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { publishedLine } from "../../domain/references";
import { publishedRows } from "./scores-section";

const EM: Evaluator = {
  key: "em",
  name: "Exact match",
  signature: "em",
  unit: "accuracy",
  projects: 1,
  systems: 1,
  distance: makeFigure(0.1),
};
const PROJECT = {
  scope: "sample" as const,
  is_estimated: false,
  n_questions: 2,
  judged_questions: 2,
  has_people: true,
  all_decided: true,
  programs_share: 0,
};

function published(project: string, measure: string, value: number): ComparedReference {
  return { project, name: "GPT-3", measure, value, n: null, about: "", dataset: "", source: "Si et al." };
}

const FOUND: Comparison = {
  signature: "",
  projects: [
    { slug: "tq", name: "TriviaQA", ...PROJECT },
    { slug: "nq", name: "NQ", ...PROJECT },
  ],
  evaluators: [EM],
  rows: [],
  published: [published("nq", "em", 0.24), published("tq", "human", 0.7), published("nq", "bem", 0.5)],
};

describe("published systems of several projects", () => {
  it("have a row for each project, in the order of the projects, by the judges shown and people", () => {
    const rows = publishedRows(FOUND, [EM]);
    expect(rows.map(({ project, scores }) => [project, Object.keys(scores)])).toEqual([
      ["tq", ["people"]],
      ["nq", ["em"]],
    ]);
    expect(publishedRows(FOUND, []).map(({ project }) => project)).toEqual(["tq"]);
  });

  it("are told apart in the file, near to nobody", () => {
    const [people, em] = publishedRows(FOUND, [EM]).map((row) =>
      publishedLine(row, { project: row.project }),
    );
    expect(em).toMatchObject({ project: "nq", em: 0.24, published: "Si et al." });
    expect(em).not.toHaveProperty("people");
    expect(people).toMatchObject({ project: "tq", people: 0.7 });
  });
});
