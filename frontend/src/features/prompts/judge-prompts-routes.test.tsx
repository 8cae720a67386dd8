import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Call, FakeError, startFakeServer } from "../../test/fake-server";
import { LLM_SERVER, PUBLISHED, STRATEGY } from "../../test/judge-cast";
import { openApp } from "../../test/open-app";
import { savedLines } from "../../test/saved-lines";
import { makeFigure } from "../../components/figure";

describe("prompts side by side", () => {
  it("lets published prompts stand below those asked here, by system", async () => {
    const published = (measure: string, value: number, system: string) => ({
      ...PUBLISHED,
      id: `${measure} ${system}`,
      name: "GPT-3.5",
      prompt: "giving-reasons",
      measure,
      value,
      system,
    });
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/reference-scores": [
        published("accuracy_all", 0.896, "fid"),
        published("f1", 0.919, "fid"),
      ],
    });
    openApp("/nq/runs/board?open=prompts");
    const table = await screen.findByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    const row = await within(table).findByRole("row", { name: /^giving-reasons/ });
    expect(row).toHaveTextContent(/^giving-reasons\s?published · EVOUNA-NQGPT-3.5–89.6.*F1 91.9/);
    expect(within(row).getAllByTitle("Published: Wang et al. 2023")).toHaveLength(2);
    // What is of one system's answers is no figure of the whole.
    const board = screen.getByRole("table", { name: "Judges compared with people" });
    expect(within(board).queryByText("GPT-3.5")).toBeNull();
  });

  it("saves published numbers and the difference beside the model’s first run, too", async () => {
    const second = {
      ...STRATEGY,
      run: "r3",
      difference: makeFigure(0.05, { low: 0.01, high: 0.09 }),
    };
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/judge-board/strategies": [STRATEGY, second],
      "GET /api/projects/nq/reference-scores": [
        PUBLISHED,
        { ...PUBLISHED, id: "p2", prompt: "original", system: "fid" },
      ],
    });
    openApp("/nq/runs/board?open=prompts");
    await screen.findByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    await screen.findAllByText(/^published ·/);
    const prompts = await savedLines("prompts-side-by-side");
    expect(prompts[0]).toContain(",difference,difference_low,difference_high,published");
    // Once a prompt: over all answers, not system by system.
    expect(prompts.filter((line) => line.includes(",0.05,0.01,0.09,,judge:llm|"))).toHaveLength(1);
    expect(prompts.at(-1)).toContain("Wang et al. 2023");
    const judges = await savedLines("judges-compared-with-people");
    expect(judges.at(-1)).toMatch(/published,.*0\.969.*Wang et al\. 2023/);
  });

  it("shows published prompts where none was asked here", async () => {
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/judge-board/strategies": [],
      "GET /api/projects/nq/reference-scores": [{ ...PUBLISHED, prompt: "original", system: "fid" }],
    });
    openApp("/nq/runs/board?open=prompts");
    const table = await screen.findByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    expect(within(table).getByRole("columnheader", { name: /fid/ })).toBeVisible();
    expect(within(table).getByRole("row", { name: /^original/ })).toHaveTextContent("96.9");
  });

  it("puts intervals on prompts, over all answers and by system", async () => {
    startFakeServer(LLM_SERVER);
    openApp("/nq/runs/board?open=prompts");
    const table = await screen.findByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    expect(await within(table).findByText(/95% interval 91.0 to 96.0/)).toBeInTheDocument();
    expect(within(table).getByText(/95% interval 92.0 to 97.0/)).toBeInTheDocument();
    expect(within(table).getByText(/95% interval 88.0 to 98.0/)).toBeInTheDocument();
  });

  it("shows figures before their intervals, and says when these do not come", async () => {
    const failed = new FakeError(500, "bug", "It failed.");
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/judge-board/strategies": ({ query }: Call) =>
        query.includes("intervals=true") ? failed : [STRATEGY],
    });
    openApp("/nq/runs/board?open=prompts");
    expect(await screen.findAllByText("F1 95.3")).toHaveLength(2);
    expect(await screen.findByText("Could not compute the intervals.")).toBeVisible();
  });
});
