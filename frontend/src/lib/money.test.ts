import { describe, expect, it } from "vitest";
import { formatMoney } from "./numbers";

describe("formatMoney", () => {
  it.each([
    ["12.5", "$12.50"],
    ["0.6", "$0.60"],
    ["0.01666", "$0.017"],
    ["0.0000523", "$0.000052"],
    ["0", "$0.00"],
    ["1234.567", "$1,234.57"],
    [null, "–"],
    ["", "–"],
  ])("writes %s as %s", (amount, words) => {
    expect(formatMoney(amount)).toBe(words);
  });
});
