import { describe, expect, it } from "vitest";
import {
  countOf,
  formatBytes,
  formatCoefficient,
  formatDifference,
  formatPercent,
  statistic,
} from "./numbers";

describe("numbers", () => {
  it("shows what is missing as a dash, never as NaN", () => {
    expect([formatPercent(null), formatCoefficient(Number.NaN), formatDifference(undefined)]).toEqual([
      "–",
      "–",
      "–",
    ]);
  });

  it("signs differences and calls no difference nothing", () => {
    expect([0.03, -0.0123, 0.0001].map((share) => formatDifference(share))).toEqual(["+3.0", "−1.2", "0.0"]);
  });

  it("keeps a statistic and its value on one line", () => {
    expect(statistic("κ", formatCoefficient(-0.05))).toBe("κ\u00a0=\u00a0−0.05");
  });

  it("counts in words", () => {
    expect([countOf(1, "answer"), countOf(1490, "answer")]).toEqual(["1 answer", "1,490 answers"]);
  });

  it("measures files", () => {
    expect([0, 999, 1500, 200_000_000].map(formatBytes)).toEqual([
      "0\u00a0bytes",
      "999\u00a0bytes",
      "1.5\u00a0kB",
      "200\u00a0MB",
    ]);
  });
});
