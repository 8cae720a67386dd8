import { describe, expect, it } from "vitest";
import type { SystemRow } from "../../api/schema";
import { makeBoard } from "../../test/lead-cast";
import { ABOUT, aboutSorting, descriptionWords, knownAbout, sizeWords } from "./about";
import { sortedRows } from "./standings";

const GIB = 1_073_741_824;

function rowsAbout(...descriptions: readonly Record<string, unknown>[]): SystemRow[] {
  const [row] = makeBoard(true).rows;
  if (!row) throw new Error("The board lacks its rows.");
  return descriptions.map((description, place) => ({ ...row, label: `S${place}`, description }));
}

describe("what is known of systems", () => {
  it("has sizes in the units of the tracks", () => {
    expect([6 * GIB, 1.5 * GIB, 500 * 1_048_576, 0].map(sizeWords)).toEqual([
      "6.00\u00a0GiB",
      "1.50\u00a0GiB",
      "500\u00a0MiB",
      "0.00\u00a0MiB",
    ]);
  });

  it("stands in a line, without what has a column of its own", () => {
    const description = { size_bytes: GIB, retrieval_depth: 100, closed_book: false, track: "main" };
    expect(descriptionWords(description, [])).toBe("1.00\u00a0GiB · 100 passages · open book · main");
    expect(descriptionWords(description, ABOUT.slice(0, 2))).toBe("open book · main");
    expect(descriptionWords({ size_bytes: null, closed_book: "no" }, [])).toBe("");
  });

  it("has a column only where it is known of some system", () => {
    const rows = rowsAbout({ size_bytes: 1 }, { track: "" }, { closed_book: true });
    expect(knownAbout(rows).map(({ key }) => key)).toEqual(["size_bytes", "closed_book"]);
  });

  it("sorts, unknown ones last either way", () => {
    const rows = rowsAbout({ size_bytes: 9 }, {}, { size_bytes: 10 });
    const labels = (direction: "ascending" | "descending") =>
      sortedRows(rows, { key: "about:size_bytes", direction }).map(({ label }) => label);
    expect(labels("ascending")).toEqual(["S0", "S2", "S1"]);
    expect(labels("descending")).toEqual(["S2", "S0", "S1"]);
    expect(aboutSorting("about:other")).toBeUndefined();
  });
});
