import { describe, expect, it } from "vitest";
import type { LeaderboardColumn, LeaderboardRow } from "../../api/contract";
import { pairWords } from "./pair-comparison";

const HUMAN = { key: "human", name: "Amended gold" } as LeaderboardColumn;

function row(label: string, value: number, low: number, high: number): LeaderboardRow {
  const score = { value, correct: null, n: 301, low, high, rank: 1 };
  return {
    system: label,
    label,
    description: {},
    n: 301,
    scores: { human: score },
    decided_share: 1,
    range: null,
  };
}

describe("two systems in a sentence", () => {
  it("are level when their scores are", () => {
    expect(pairWords(row("A", 0.731, 0.68, 0.78), row("B", 0.731, 0.68, 0.78), HUMAN)).toBe(
      "Amended gold: A and B are level.",
    );
  });

  it("are not called different while their intervals overlap", () => {
    expect(pairWords(row("A", 0.7, 0.65, 0.75), row("B", 0.731, 0.68, 0.78), HUMAN)).toBe(
      "Amended gold: B is 3.1 points above A; their intervals overlap with 301 questions.",
    );
  });

  it("are apart where the intervals do not meet", () => {
    expect(pairWords(row("A", 0.5, 0.45, 0.55), row("B", 0.731, 0.68, 0.78), HUMAN)).toContain("do not meet");
  });
});
