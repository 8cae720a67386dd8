import { describe, expect, it } from "vitest";
import type { ComparedSystem, Evaluator } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { makeScore } from "../../test/figures";
import { byDistance, chosenOf, comparableWith, nearestTo } from "./nearest";

function evaluator(key: string, distance: number | null, systems = 4): Evaluator {
  return {
    key,
    name: key,
    signature: key,
    unit: "accuracy",
    projects: 1,
    systems,
    distance: makeFigure(distance),
  };
}

function row(differences: Readonly<Record<string, number | null>>): ComparedSystem {
  const scores = Object.entries(differences).map(([key, difference]) => [
    key,
    { ...makeScore(0.5), difference: makeFigure(difference) },
  ]);
  return { project: "nq", system: "a", label: "A", n: 2, scores: Object.fromEntries(scores), people: null };
}

const ALL = [evaluator("em", 0.2), evaluator("bem", 0.05), evaluator("gpt", null, 0)];

describe("nearestTo", () => {
  it("takes the least difference, above or below", () => {
    expect(nearestTo(row({ em: -0.2, bem: 0.05, gpt: null }), ALL)).toEqual(["bem"]);
  });

  it("names all that are level, and none where people said nothing", () => {
    expect(nearestTo(row({ em: -0.1, bem: 0.1 }), ALL)).toEqual(["em", "bem"]);
    expect(nearestTo(row({ em: null }), ALL)).toEqual([]);
  });

  it("looks at those shown only", () => {
    expect(nearestTo(row({ em: -0.2, bem: 0.05 }), [evaluator("em", 0.2)])).toEqual(["em"]);
  });
});

describe("byDistance", () => {
  it("puts the nearest first and those without a distance last", () => {
    expect(byDistance(ALL).map(({ key }) => key)).toEqual(["bem", "em", "gpt"]);
  });
});

describe("comparableWith", () => {
  it("leaves out who ran on fewer systems", () => {
    expect(comparableWith([...ALL, evaluator("few", 0.01, 2)]).map(({ key }) => key)).toEqual(["bem", "em"]);
  });
});

describe("chosenOf", () => {
  it("takes all where the address names none that is there", () => {
    expect(chosenOf(ALL, undefined)).toBe(ALL);
    expect(chosenOf(ALL, "no~such")).toBe(ALL);
    expect(chosenOf(ALL, "em~gpt").map(({ key }) => key)).toEqual(["em", "gpt"]);
  });
});
