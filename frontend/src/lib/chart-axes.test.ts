import * as Plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import { namedRows } from "./chart-axes";

function namesOn(width: number, ...names: readonly string[]) {
  const rows = names.map((name, place) => ({ key: String(place), name }));
  const { frame, axis } = namedRows(Plot, width, "System", rows);
  const drawn = Plot.plot({ ...frame, marks: [axis] }).querySelectorAll(
    '[aria-label="y-axis tick label"] text',
  );
  // A name that is cut is told whole in the title of its text.
  return [...drawn].map((text) => text.firstChild?.textContent);
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

  it("are cut where they would leave too little of the chart", () => {
    const [cut] = namesOn(400, "NQ301_text-davinci-003_fewshot-n64");
    expect(cut).toMatch(/^NQ301_text-.*…$/);
  });
});
