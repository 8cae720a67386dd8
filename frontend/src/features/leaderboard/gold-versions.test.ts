import { describe, expect, it } from "vitest";
import { earlierLists, otherList } from "./gold-versions";

const day = (of: string, made: number, undone = 0) => ({ day: of, made, undone });

describe("earlier gold lists", () => {
  it("are those that differ from today's, by when they were and what changed", () => {
    const days = [day("2026-11-26", 3), day("2026-11-25", 12, 2), day("2026-11-24", 0, 1)];
    expect(earlierLists(days)).toEqual([
      { value: "original", name: "As imported, before any change" },
      { value: "2026-11-25", name: "End of Nov 25, 2026, after 12 changes (2 undone) that day" },
      { value: "2026-11-24", name: "End of Nov 24, 2026, after 1 change was undone that day" },
    ]);
  });

  it("are the imported one alone after the first day of changes", () => {
    expect(earlierLists([day("2026-11-26", 3)]).map(({ value }) => value)).toEqual(["original"]);
  });

  it("are named where an address asks for another one", () => {
    expect(otherList("2026-11-26")).toBe("End of Nov 26, 2026");
    expect(otherList("17")).toBe("After change 17");
  });
});
