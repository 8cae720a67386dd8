/** The leaderboard's further pages and tables, as a lead uses them. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { ReferenceScore } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { BASE, makeBoard } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { savedRows } from "../../test/saved-lines";

const BOARD = "GET /api/projects/nq/leaderboard";
const REFERENCES = "/api/projects/nq/reference-scores";

const PUBLISHED: ReferenceScore = {
  id: "r1",
  subject: "system",
  name: "LCCmain2002",
  measure: "exact_match",
  value: 0.881,
  n: 444,
  about: "CuratedTREC",
  source: "a paper",
  source_url: "javascript:alert(1)",
  dataset: "",
  system: "",
  prompt: "",
  added_by: "Lena",
  added_at: "2026-11-21T06:00:00Z",
  removed_by: "",
  removed_at: null,
};

describe("published numbers", () => {
  it("stand below the systems, marked, and change neither order nor headline", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [`GET ${REFERENCES}`]: [PUBLISHED] });
    openApp("/nq/leaderboard");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    const row = (await within(table).findByText("LCCmain2002")).closest("tr");
    expect(row).toHaveTextContent("published · CuratedTREC");
    expect(row).toHaveTextContent("88.1of 444 answers");
    expect(within(table).getAllByRole("row").at(-2)).toBe(row);
    expect(screen.getByText(/According to people’s decisions, Chatty has the highest score/)).toBeVisible();
    // An address that is a script is no link.
    expect(screen.queryByRole("link", { name: "a paper" })).toBeNull();
  });

  it("stand before and after amendment, by the one or by both, without a way between", async () => {
    const before = { ...PUBLISHED, id: "r2", name: "GPT-3", about: "", n: null, value: 0.6 };
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      "GET /api/projects/nq/leaderboard/amendments": {
        signature: "",
        systems: [
          {
            system: "Strict",
            label: "Strict",
            n: 100,
            before: 60,
            after: 70,
            turned_right: 11,
            turned_wrong: 1,
            gain: makeFigure(0.1),
          },
        ],
        pending: 0,
        right_count: 0,
        wrong_count: 0,
        count: 0,
        before: 0,
        previous: null,
        next: null,
        turned: [],
      },
      [`GET ${REFERENCES}`]: [PUBLISHED, before, { ...before, id: "r3", measure: "human", value: 0.7 }],
    });
    openApp("/nq/leaderboard/amendments");
    const table = await screen.findByRole("table", { name: "Changes from Exact match to Amended gold" });
    const one = await within(table).findByRole("row", { name: /^LCCmain2002/ });
    expect(one).toHaveTextContent(/published · CuratedTREC–88\.1of 444 answers––$/);
    const both = within(table).getByRole("row", { name: /^GPT-3/ });
    expect(both).toHaveTextContent(/published–60\.070\.0–$/);
    // Neither the chart nor a system's own line knows of them.
    expect(screen.getByText(/in percent, 2 systems/)).toBeVisible();
    const saved = await savedRows("before-and-after");
    expect(saved.map(({ label }) => label)).toEqual([
      "Chatty",
      "Strict",
      "LCCmain2002, CuratedTREC",
      "GPT-3",
    ]);
    const cells = { exact_match: "0.6", human: "0.7", difference: "", published: "a paper" };
    expect(saved.at(-1)).toMatchObject(cells);
  });

  it("are added with a share and refused in words", async () => {
    const calls = startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [`GET ${REFERENCES}`]: [],
      [`POST ${REFERENCES}`]: PUBLISHED,
    });
    openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByRole("button", { name: "Add published result" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Add result" }));
    expect(within(dialog).getByText("Enter the system or judge.")).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText("System"), "LCC");
    await userEvent.type(within(dialog).getByLabelText("Percent"), "88.1");
    await userEvent.type(within(dialog).getByLabelText("Publication"), "a paper");
    await userEvent.click(within(dialog).getByRole("button", { name: "Add result" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({
      subject: "system",
      name: "LCC",
      measure: "exact_match",
      value: 0.881,
      n: null,
    });
  });

  it("say which data set they belong to where there are several", async () => {
    const choices = { datasets: ["NQ", "TriviaQA"], tags: [], has_ambiguous: false };
    const calls = startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      "GET /api/projects/nq/filters": {
        ...choices,
        knows_references: false,
        has_sizes: false,
        has_rest: false,
      },
      [`GET ${REFERENCES}`]: [{ ...PUBLISHED, dataset: "NQ" }],
      [`POST ${REFERENCES}`]: PUBLISHED,
    });
    openApp("/nq/leaderboard?dataset=TriviaQA");
    await userEvent.click(await screen.findByRole("button", { name: "Add published result" }));
    // The board of one data set leaves out what is of another.
    const table = screen.getByRole("table", { name: "Scores of systems for each way of judging" });
    expect(within(table).queryByText("LCCmain2002")).toBeNull();
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("System"), "LCC");
    await userEvent.selectOptions(within(dialog).getByLabelText("Data set"), "TriviaQA");
    await userEvent.type(within(dialog).getByLabelText("Percent"), "88.1");
    await userEvent.type(within(dialog).getByLabelText("Publication"), "a paper");
    await userEvent.click(within(dialog).getByRole("button", { name: "Add result" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const body = bodiesOf(calls, "POST")[0];
    expect(body).toMatchObject({ dataset: "TriviaQA", system: "", prompt: "" });
  });

  it("of judges say whose answers and which prompt", async () => {
    const system = { group: "", description: {}, prediction_count: 3 };
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/judge-board": [],
      "GET /api/projects/nq/systems": [
        { ...system, id: "s1", name: "fid", label: "FiD" },
        { ...system, id: "s2", name: "gpt35", label: "GPT-3.5" },
      ],
      [`GET ${REFERENCES}`]: [],
      [`POST ${REFERENCES}`]: PUBLISHED,
    });
    openApp("/nq/runs/board");
    await userEvent.click(await screen.findByRole("button", { name: "Add published result" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("Judge"), "GPT-3.5");
    await userEvent.type(within(dialog).getByLabelText("Prompt (optional)"), "original");
    await userEvent.selectOptions(await within(dialog).findByLabelText("System"), "FiD");
    await userEvent.type(within(dialog).getByLabelText("Percent"), "93.6");
    await userEvent.type(within(dialog).getByLabelText("Publication"), "a paper");
    await userEvent.click(within(dialog).getByRole("button", { name: "Add result" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const body = bodiesOf(calls, "POST")[0];
    expect(body).toMatchObject({ system: "fid", prompt: "original", dataset: "", value: 0.936 });
  });

  it("are taken out with the way back at hand", async () => {
    let isRemoved = false;
    const row = () => ({ ...PUBLISHED, removed_at: isRemoved ? "2026-11-21T07:00:00Z" : null });
    const move = (to: boolean) => () => {
      isRemoved = to;
      return row();
    };
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [`GET ${REFERENCES}`]: () => [row()],
      [`DELETE ${REFERENCES}/r1`]: move(true),
      [`POST ${REFERENCES}/r1/restore`]: move(false),
    });
    openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByRole("button", { name: "Remove: LCCmain2002" }));
    expect(await screen.findByText("LCCmain2002 was removed.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Remove: LCCmain2002" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Restore" }));
    expect(await screen.findByRole("button", { name: "Remove: LCCmain2002" })).toBeVisible();
  });

  it("come from a file only when all of it can be read", async () => {
    const problem = { line: 2, column: "percent", message: "“x” is no number." };
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [`GET ${REFERENCES}`]: [],
      [`POST ${REFERENCES}/import`]: { references: [], problems: [problem] },
    });
    openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByRole("button", { name: "Import from CSV" }));
    const dialog = screen.getByRole("dialog");
    const file = new File(["name,measure,percent,source\na,em,x,s\n"], "scores.csv", { type: "text/csv" });
    await userEvent.upload(within(dialog).getByLabelText(/Choose a CSV file/), file);
    expect(await within(dialog).findByText(/Line 2, percent: “x” is no number/)).toBeVisible();
    expect(within(dialog).getByRole("button", { name: "Add results" })).toBeDisabled();
  });
});
