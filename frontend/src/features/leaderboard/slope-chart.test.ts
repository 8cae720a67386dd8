import { describe, expect, it } from "vitest";
import { spread } from "./slope-chart";

describe("spread", () => {
  it("moves labels apart that would print over each other", () => {
    expect(spread([1, 1, 1.5], 1)).toEqual([1, 2, 3]);
  });

  it("leaves labels that are apart where they are, whatever their order", () => {
    expect(spread([9, 1, 5], 1)).toEqual([9, 1, 5]);
  });
});
