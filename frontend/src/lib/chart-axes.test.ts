import * as Plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import { namedRows, namesAxis, roomForNames } from "./chart-axes";

function namesOn(width: number, ...names: readonly string[]) {
  const rows = names.map((name, place) => ({ key: String(place), name }));
  const { frame, axis } = namedRows(Plot, width, "System", rows);
  return linesOf(Plot.plot({ ...frame, marks: [axis] }));
}

/** In a chart with panels, which has its names beside the rows on a phone, too. */
function panelNamesOn(width: number, name: string) {
  const room = roomForNames([name], width);
  const axis = namesAxis(Plot, { label: "Tag", room });
  return linesOf(Plot.plot({ width, marginLeft: room, y: { domain: [name] }, marks: [axis] }));
}

function linesOf(chart: Element) {
  const drawn = chart.querySelectorAll('[aria-label="y-axis tick label"] text');
  return [...drawn].map((text) => {
    const lines = [...text.querySelectorAll("tspan")].map((line) => line.textContent);
    // A name that is cut is told whole in the title of its text.
    return lines.length > 0 ? lines : text.firstChild?.textContent;
  });
}

describe("names beside the rows of a chart", () => {
  it.each([
    "NQ301_text-davinci-003_fewshot-n64",
    "Meta-Llama-3.1-405B-Instruct-FP8",
    "GPT-4-TURBO-2024-04-09",
    "NQ_DPR",
    "FiD",
  ])("are shown whole where there is room: %s", (name) => {
    expect(namesOn(900, name)).toEqual([name]);
  });

  it.each([
    ["NQ301_text-davinci-003_fewshot-n64", ["NQ301_text-davinci", "-003_fewshot-n64"]],
    ["Magpie 2 LLM (recorded)", ["Magpie 2 LLM", "(recorded)"]],
    ["Exact match inside an explanation", ["Exact match inside", "an explanation"]],
  ])("take two lines on a phone: %s", (name, lines) => {
    expect(panelNamesOn(358, name)).toEqual([lines]);
    expect(namesOn(358, name)).toEqual([name]);
  });

  it("are cut where even two lines would leave too little of the chart", () => {
    const [lines] = panelNamesOn(358, "NQ301_text-davinci-003_fewshot-n64 with a prompt of its own");
    expect(lines?.[1]).toMatch(/^-003_fewshot.*…$/);
  });
});
