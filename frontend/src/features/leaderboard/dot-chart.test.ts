import * as plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import type { LeaderboardColumn, Score } from "../../api/schema";
import { makeScore } from "../../test/figures";
import { makeBoard } from "../../test/lead-cast";
import {
  type DotChart,
  dotChart,
  drawDots,
  linesOf,
  MARKS,
  marksOf,
  notShownWords,
  rowWords,
} from "./dot-chart";
import { BELOW, rowsLayout } from "../../lib/chart-axes";
import { humanColumn } from "./standings";

const board = makeBoard(true);
const [exact, human] = board.columns as [LeaderboardColumn, LeaderboardColumn];
const judge = (key: string, more: Partial<LeaderboardColumn> = {}) => ({ ...exact, key, name: key, ...more });

function chartOf(columns = board.columns, rows = board.rows): DotChart {
  const chart = dotChart(rows, columns, humanColumn(columns, rows));
  if (!chart) throw new Error("There is nothing to draw.");
  return chart;
}

describe("the dot plot", () => {
  it("puts the best by people first, whatever the table is sorted by", () => {
    const { main, rows } = chartOf();
    expect(main.key).toBe("human");
    expect(rows.map(({ label }) => label)).toEqual(["Chatty", "Strict"]);
  });

  it("puts scores over too few answers last and pale, and says over how many they are", () => {
    const rows = board.rows.map((row) =>
      row.label === "Chatty"
        ? { ...row, scores: { ...row.scores, human: makeScore(1, { n: 6, low: 0.61, high: 1 }) } }
        : row,
    );
    const chart = chartOf(board.columns, rows);
    expect(chart.rows.map(({ label }) => label)).toEqual(["Strict", "Chatty"]);
    expect(marksOf(chart).at(-1)).toMatchObject({
      look: "pale, listed last",
      name: "fewer than 30 answers",
      opacity: 0.4,
    });
    const drawn = drawDots(plot, 800, chart);
    expect(drawn.textContent).toContain("Chatty (n\u00a0=\u00a06)");
    expect(drawn.textContent).not.toContain("Strict (n");
    const dots = [...drawn.querySelectorAll('g[aria-label="dot"] circle, g[aria-label="dot"] path')];
    expect(dots.some((dot) => dot.getAttribute("fill-opacity") === "0.4")).toBe(true);
  });

  it("marks exact match and the other judges, but no F1 and nothing that repeats people", () => {
    const columns = [
      judge("bem"),
      judge("token_f1", { unit: "f1" }),
      judge("exact_match:amended", { gold: "amended" }),
      exact,
      human,
    ];
    expect(chartOf(columns).judges.map(({ key }) => key)).toEqual(["exact_match", "bem"]);
  });

  it("has as many marks as a row can show, and names what it leaves out", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const chart = chartOf([exact, ...names.map((name) => judge(name)), human]);
    expect(chart.judges).toHaveLength(MARKS.length);
    const marks = marksOf(chart).map(({ look, name }) => `${look}: ${name}`);
    expect(marks[0]).toBe("solid dot and bar: People, 95% interval");
    expect(marks.at(-1)).toBe("cross: d");
    expect(notShownWords(chart)).toBe(" Not shown: e; f.");
    expect(new Set(MARKS.map(({ symbol }) => symbol)).size).toBe(MARKS.length);
  });

  it("has short names in its key, and whole ones where short ones are the same", () => {
    const named = [
      judge("a", { name: "LLM judge, prompt kamalloo" }),
      judge("b", { name: "bem (recorded)" }),
    ];
    const namesOf = (columns: LeaderboardColumn[]) => marksOf(chartOf(columns)).map(({ name }) => name);
    expect(namesOf([...named, human]).slice(1)).toEqual(["kamalloo", "bem"]);
    expect(namesOf([...named, judge("bem"), human]).slice(1)).toEqual(["kamalloo", "bem (recorded)", "bem"]);
  });

  it("is ordered by exact match while people have no scores, and of nothing where there are none", () => {
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, human: null } }));
    const chart = dotChart(rows, [exact], null);
    expect(chart?.main.key).toBe("exact_match");
    expect(chart?.judges).toEqual([]);
    expect(dotChart([], board.columns, human)).toBeNull();
    expect(dotChart(rows, [human], human)).toBeNull();
  });
});

describe("the numbers of a row", () => {
  const [row] = chartOf().rows;
  const own = row?.scores["human"];

  it("are all that its marks show", () => {
    if (!row || !own) throw new Error("The board lacks a score.");
    const scores: Record<string, Score | null> = {
      human: { ...own, low: 0.7, high: 0.88, rank: { ...own.rank, value: 1, low: 1, high: 2 } },
      exact_match: { ...own, value: 0.2, low: 0.13, high: 0.29 },
    };
    expect(rowWords({ ...row, scores }, chartOf(), board)).toBe(
      "Amended gold 80.0% (95% interval 70.0 to 88.0), rank 1 (1 to 2). Exact match 20.0% (95% interval 13.0 to 29.0).",
    );
    const few = { ...row, scores: { human: { ...own, n: 40, rank: { ...own.rank, value: null } } } };
    expect(rowWords(few, chartOf(), board)).toMatch(/, on 40 of 100 questions\.$/);
  });

  it("stand at the end of each row, with the interval where it is known", () => {
    const ends: Readonly<Record<string, Partial<Score>>> = {
      Chatty: { low: 0.7, high: 0.88 },
      Strict: { low: null, high: null },
    };
    const rows = board.rows.map((each) => ({
      ...each,
      scores: { human: { ...(each.scores["human"] as Score), ...ends[each.label] } },
    }));
    const said = (width: number) =>
      [
        ...drawDots(plot, width, chartOf(board.columns, rows)).querySelectorAll('[aria-label="text"] text'),
      ].map(({ textContent }) => textContent);
    expect(said(900)).toEqual(["80.0 (70.0–88.0)", "70.0"]);
    expect(said(390)).toEqual(["80.0 (70.0–88.0)", "70.0"]);
  });

  it("have the solid dots over the halos of the judges’ open marks, and under the marks, so that both are seen", () => {
    const drawn = [...drawDots(plot, 900, chartOf()).querySelectorAll('[aria-label="dot"]')];
    const own = drawn.findIndex((marks) => marks.getAttribute("fill") === "var(--chart-1)");
    const isHalo = (marks: Element) => marks.getAttribute("stroke") === "var(--paper)";
    expect(own).toBeGreaterThan(0);
    expect(drawn.slice(0, own).every(isHalo)).toBe(true);
    expect(drawn.slice(own + 1).some(isHalo)).toBe(false);
    expect(drawn.length).toBe(2 * own + 1);
  });

  it("lie over the rows of the picture", () => {
    const chart = chartOf();
    const drawn = drawDots(plot, 900, chart);
    const { height, top, row: rowHeight } = rowsLayout(chart.rows.length);
    expect(height).toBe(top + chart.rows.length * rowHeight + BELOW);
    expect(drawn.getAttribute("height")).toBe(String(height));
    const own = drawn.querySelector('[aria-label="dot"][fill="var(--chart-1)"]');
    const ys = [...(own?.querySelectorAll("circle") ?? [])].map((dot) => Number(dot.getAttribute("cy")));
    const middles = chart.rows.map((_, place) => top + (place + 0.5) * rowHeight);
    expect(ys).toEqual(middles.map((middle) => expect.closeTo(middle, 0) as number));
  });

  it("stand over the marks on a phone, where marks that would cover each other take lines of their own", () => {
    const dot = (percent: number) => ({ system: "a", opacity: 1, percent, low: percent, high: percent });
    const [own, near, nearer, far] = [dot(50), dot(52), dot(53), dot(80)];
    const lines = linesOf(
      [own],
      [near, nearer, far].map((each) => ({ mark: MARKS[0], dots: [each] })),
      4,
    );
    expect([own, near, nearer, far].map((each) => lines.get(each))).toEqual([0, 1, 2, 0]);
    const chart = chartOf();
    const drawn = drawDots(plot, 358, chart);
    const names = [...drawn.querySelectorAll('[aria-label="y-axis tick label"] text')];
    expect(names.map(({ textContent }) => textContent)).toEqual(["Chatty", "Strict"]);
    const { height } = rowsLayout(chart.rows.length, { isStacked: true });
    expect(Number(drawn.getAttribute("height"))).toBeGreaterThanOrEqual(height);
  });
});
