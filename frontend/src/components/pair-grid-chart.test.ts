import * as Plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import { drawSquares, percentOf, type Square } from "./pair-grid";

const MEMBERS = [
  { key: "dpr", name: "Dense passages" },
  { key: "fid", name: "Fusion" },
];
const SQUARES: Readonly<Record<string, Square>> = {
  "dpr fid": { depth: 0.5, text: "0.50" },
  "fid dpr": { depth: -1, text: "25.0%" },
};

describe("a drawn grid of pairs", () => {
  const chart = drawSquares(Plot, 600, {
    of: "System",
    rows: MEMBERS,
    columns: MEMBERS,
    squareOf: (row, column) => SQUARES[`${row} ${column}`] ?? { depth: null, text: "" },
  });

  it("has every figure, and names on both sides", () => {
    const words = [...chart.querySelectorAll("text")].map(({ textContent }) => textContent);
    for (const word of ["0.50", "25.0%", "System"]) expect(words).toContain(word);
    for (const { name } of MEMBERS) expect(words.filter((word) => word === name)).toHaveLength(2);
  });

  it("has a square for each figure alone, as deep as it is on the page", () => {
    const squares = [...chart.querySelectorAll("rect")];
    expect(squares.map((square) => square.getAttribute("fill-opacity"))).toEqual(["0.2", "0"]);
    expect([percentOf(0.5), percentOf(-1), percentOf(2)]).toEqual([20, 0, 40]);
  });
});
