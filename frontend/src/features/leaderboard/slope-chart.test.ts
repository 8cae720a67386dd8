import * as plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import {
  drawSlope,
  fitting,
  leftOutWords,
  lineWords,
  slopeColumns,
  slopePoints,
  spread,
} from "./slope-chart";

describe("the columns of the slopes", () => {
  it("begin with exact match, whichever judge ran first", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const columns = [{ ...exact, key: "containment" }, exact, { ...exact, key: "bem" }, human];
    expect(slopeColumns(columns, human).map(({ key }) => key)).toEqual([
      "exact_match",
      "containment",
      "bem",
      "human",
    ]);
  });
});

describe("the ways of judging that fit", () => {
  const ways = ["exact match", "bem", "gpt-4", "people"];

  it("are all of them where there is room", () => {
    expect(fitting(ways, 400)).toEqual(ways);
  });

  it("keep both ends and, of those between, the first", () => {
    expect(fitting(ways, 170)).toEqual(["exact match", "bem", "people"]);
    expect(fitting(ways, 0)).toEqual(["exact match", "people"]);
  });

  it("are never shown twice", () => {
    expect(fitting(["exact match"], 0)).toEqual(["exact match"]);
  });
});

describe("the ways of judging that do not fit", () => {
  const ways = ["exact match", "bem", "gpt-4", "davinci", "people"];

  it("are named in the picture, or counted where they are many", () => {
    expect(leftOutWords(ways, 5)).toBe("");
    expect(leftOutWords(ways, 4)).toBe("Not shown: davinci. See the systems table.");
    expect(leftOutWords(ways, 3)).toBe("Not shown: gpt-4 and davinci. See the systems table.");
    expect(leftOutWords(ways, 2)).toBe("Not shown: 3 ways of judging. See the systems table.");
    expect(leftOutWords(ways, 4, true)).toBe("Not shown: 1 way of judging. See the systems table.");
  });

  it("are those that the picture lacks, at every width", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    const score = board.rows[0]?.scores["human"] ?? null;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const names = ["bem", "gpt-4", "containment", "fuzzy", "davinci"];
    const columns = [exact, ...names.map((name) => ({ ...exact, key: name, name })), human];
    const rows = board.rows.map((row) => ({
      ...row,
      scores: { ...row.scores, ...Object.fromEntries(names.map((name) => [name, score])) },
    }));
    const points = slopePoints(rows, columns, "score");
    const drawn = (width: number) =>
      drawSlope(plot, width, { points, columns, measure: "score", highlighted: [] }).textContent;
    expect(drawn(540)).toContain("Not shown: fuzzy and davinci");
    expect(drawn(400)).toContain("Not shown: 5 ways of judging");
    expect(drawn(900)).not.toContain("No room");
  });
});

describe("the lines of the slopes", () => {
  const board = makeBoard(true);
  const columns = slopeColumns(board.columns, board.columns.find(({ kind }) => kind === "human") ?? null);
  const points = slopePoints(board.rows, columns, "score");

  it("stand out as a whole where the pointer is at one of their points", () => {
    const chart = drawSlope(plot, 700, { points, columns, measure: "score", highlighted: [] });
    const lines = [...chart.querySelectorAll('[aria-label="line"]')];
    const lit = () => lines.map((line) => line.hasAttribute("data-lit"));
    const systems = [...new Set(points.map(({ system }) => system))];
    expect(lines).toHaveLength(systems.length);
    for (const [place, system] of systems.entries()) {
      Object.assign(chart, { value: points.findLast((point) => point.system === system) });
      chart.dispatchEvent(new Event("input"));
      expect(lit()).toEqual(systems.map((_, each) => each === place));
    }
    Object.assign(chart, { value: null });
    chart.dispatchEvent(new Event("input"));
    expect(lit()).not.toContain(true);
  });

  it("have their values in words", () => {
    const system = board.rows.find(({ label }) => label === "Chatty")?.system ?? "";
    expect(lineWords(points, system, "score")).toBe("Exact match: 20.0%; People: 80.0%.");
    expect(lineWords(slopePoints(board.rows, columns, "rank"), system, "rank")).toBe(
      "Exact match: rank 2; People: rank 1.",
    );
    expect(lineWords([], system, "rank")).toBe("No values.");
  });
});

describe("spread", () => {
  it("moves labels apart that would print over each other", () => {
    expect(spread([1, 1, 1.5], 1)).toEqual([1 / 6, 7 / 6, 13 / 6].map((each) => expect.closeTo(each)));
    expect(spread([4, 4], 1)).toEqual([3.5, 4.5]);
  });

  it("keeps a crowd at an end within the chart", () => {
    expect(spread([9, 10, 10, 2], 1, [0, 10])).toEqual([8, 9, 10, 2]);
    expect(spread([0, 0.5, 0.5], 1, [0, 10])).toEqual([0, 1, 2]);
  });

  it("leaves labels that are apart where they are, whatever their order", () => {
    expect(spread([9, 1, 5], 1)).toEqual([9, 1, 5]);
  });
});

describe("the lines", () => {
  const board = makeBoard(true);
  const columns = slopeColumns(board.columns, board.columns[1] ?? null);
  const chart = (measure: "rank" | "score", highlighted: readonly string[] = []) =>
    drawSlope(plot, 900, {
      points: slopePoints(board.rows, columns, measure),
      columns,
      measure,
      highlighted,
    });
  const strokes = (drawn: Element) =>
    [...drawn.querySelectorAll('[aria-label="line"] path')].map((line) => line.getAttribute("stroke"));

  it("are straight between two ways of judging", () => {
    for (const line of chart("rank").querySelectorAll('[aria-label="line"] path'))
      expect(line.getAttribute("d")).toMatch(/^M[-\d.,]+(?:L[-\d.,]+)+$/);
  });

  it("have a color each, and stand out where they are chosen", () => {
    expect(new Set(strokes(chart("score"))).size).toBe(2);
    const [chosen] = board.rows;
    if (!chosen) throw new Error("The board has no system.");
    expect(new Set(strokes(chart("score", [chosen.system])))).toEqual(
      new Set(["var(--chart-1)", "var(--chart-muted)"]),
    );
  });

  it("are dashed where all colors are taken", () => {
    const [row] = board.rows;
    if (!row) throw new Error("The board has no system.");
    const rows = Array.from({ length: 8 }, (_, place) => ({
      ...row,
      system: `s${place}`,
      label: `s${place}`,
    }));
    const points = slopePoints(rows, columns, "score");
    const lines = [
      ...drawSlope(plot, 900, { points, columns, measure: "score", highlighted: [] }).querySelectorAll(
        '[aria-label="line"]',
      ),
    ];
    const looks = lines.map((line) =>
      [line.querySelector("path")?.getAttribute("stroke"), line.getAttribute("stroke-dasharray")].join(" "),
    );
    expect(new Set(looks).size).toBe(8);
    expect(lines.filter((line) => line.hasAttribute("stroke-dasharray"))).toHaveLength(2);
  });

  it("stand out whole where the pointer is at one of their points", () => {
    const drawn = chart("score") as SVGElement & { value?: unknown };
    Object.defineProperty(drawn, "value", { value: { system: "Chatty" }, configurable: true });
    drawn.dispatchEvent(new Event("input"));
    expect(drawn.querySelectorAll("[data-lit]")).toHaveLength(1);
    Object.defineProperty(drawn, "value", { value: null });
    drawn.dispatchEvent(new Event("input"));
    expect(drawn.querySelectorAll("[data-lit]")).toHaveLength(0);
  });
});
