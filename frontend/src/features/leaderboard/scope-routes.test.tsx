/** The judged questions beside all questions, and data sets beside each other, as a lead reads them. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type Call, bodiesOf, startFakeServer } from "../../test/fake-server";
import { makeScore } from "../../test/figures";
import { BASE, makeBoard, makeSetup } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { savedRows } from "../../test/saved-lines";

const BOARD = "GET /api/projects/nq/leaderboard";
const FILTERS = "GET /api/projects/nq/filters";
const DATASETS = "GET /api/projects/nq/leaderboard/datasets";
const CHOICES = {
  datasets: [],
  tags: [],
  has_ambiguous: false,
  knows_references: false,
  has_sizes: false,
  has_rest: true,
};

const PUBLISHED = {
  subject: "system",
  name: "GPT-3 of the paper",
  measure: "exact_match",
  value: 0.24,
  n: 100,
  about: "",
  source: "Si et al.",
  source_url: "",
  dataset: "NQ",
  system: "",
  prompt: "",
  added_by: "Lena",
  added_at: "2026-11-21T06:00:00Z",
  removed_by: "",
  removed_at: null,
};

function boards({ query }: Call) {
  const board = makeBoard(true);
  return query.includes("scope=entire")
    ? { ...board, n_questions: 3610, rows: board.rows.slice(0, 1) }
    : board;
}

describe("judges at work", () => {
  it("are named with how many answers each has judged", async () => {
    const run = { judge: "bem", members: [], options: {} };
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [FILTERS]: CHOICES,
      "GET /api/projects/nq/setup": makeSetup({ judges_at_work: 2 }),
      "GET /api/projects/nq/runs": [
        { ...run, id: "R-1", name: "BEM", state: "running", done: 1200, total: 12345 },
        { ...run, id: "R-2", name: "LLM judge", state: "queued", done: 0, total: 12345 },
        { ...run, id: "R-3", name: "Token F1", state: "finished", done: 12345, total: 12345 },
      ],
    });
    openApp("/nq/leaderboard");
    expect(
      await screen.findByText("2 automatic judges are still running, so their scores are incomplete."),
    ).toBeVisible();
    expect(await screen.findByText("BEM: 1,200 of 12,345 answers judged")).toBeVisible();
    expect(screen.getByText("LLM judge: 0 of 12,345 answers judged")).toBeVisible();
    expect(screen.queryByText(/^Token F1: /)).toBeNull();
  });
});

describe("all questions", () => {
  const SYSTEM = { id: "s1", group: "", description: {}, prediction_count: 100 };
  const server = (scope: "entire" | "sample") =>
    startFakeServer({
      ...BASE,
      [BOARD]: (call: Call) => ({ ...boards(call), scope }),
      [FILTERS]: CHOICES,
      "GET /api/projects/nq/systems": [
        ...boards({ method: "GET", path: "", query: "", body: null }).rows.map(({ system, label }) => ({
          ...SYSTEM,
          name: system,
          label,
        })),
        { ...SYSTEM, name: "none", label: "Nothing yet", prediction_count: 0 },
      ],
    });

  it("name the systems that answered the judged ones alone, and lead to them", async () => {
    server("entire");
    const router = openApp("/nq/leaderboard?scope=entire");
    const words = await screen.findByText(/^Not listed: /);
    const missing = makeBoard(true)
      .rows.slice(1)
      .map(({ label }) => label);
    expect(words).toHaveTextContent(
      `Not listed: ${missing.join(", ")}. Here, scores cover all questions, but this system has answers only to questions whose answers people judge.`,
    );
    await userEvent.click(screen.getByRole("button", { name: "Show all systems" }));
    expect(router.state.location.search).toEqual({ scope: "sample" });
  });

  it("say nothing of systems that a filter may leave out", async () => {
    server("entire");
    openApp("/nq/leaderboard?scope=entire&dataset=NQ");
    await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    expect(screen.queryByText(/^Not listed: /)).toBeNull();
  });
});

describe("the judged questions", () => {
  it("are questions to judge before the first decision", async () => {
    const board = makeBoard(false);
    const rows = board.rows.map((row) => ({ ...row, decided_share: 0 }));
    const setup = makeSetup({ annotators_present: 0, invited: 3, is_ready: false });
    startFakeServer({
      ...BASE,
      [BOARD]: { ...board, rows },
      [FILTERS]: CHOICES,
      "GET /api/projects/nq/setup": setup,
    });
    openApp("/nq/leaderboard");
    expect(await screen.findByRole("radio", { name: "Questions to judge" })).toBeChecked();
    expect(await screen.findByRole("link", { name: "Manage invitations" })).toHaveAttribute(
      "href",
      "/nq/people",
    );
    expect(screen.queryByRole("radio", { name: "Judged questions" })).toBeNull();
  });
});

describe("the judged questions beside all questions", () => {
  it("shows what a system has over all, and a dash for one that answered the sample only", async () => {
    startFakeServer({ ...BASE, [BOARD]: boards, [FILTERS]: CHOICES });
    const router = openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByRole("radio", { name: "Side by side" }));
    expect(router.state.location.search).toEqual({ scope: "both" });
    expect(
      await screen.findByText(/2 systems on \d+ questions whose answers people judge, compared with all/),
    ).toBeVisible();
    expect(screen.queryByText(/leads/)).toBeNull();
    const table = await screen.findByRole("table", { name: /Judged questions and all questions/ });
    expect(within(table).getByRole("columnheader", { name: "All 3,610 questions" })).toBeVisible();
    expect(within(table).getByRole("row", { name: /Strict/ })).toHaveTextContent(
      "Strict60.0, n = 100, 95% interval 55.0 to 65.060.0, 95% interval 55.0 to 65.0",
    );
    expect(within(table).getByRole("row", { name: /Chatty/ })).toHaveTextContent(
      /^Chatty–20\.0, 95% interval/,
    );
  });

  it("has published numbers below, under all questions where they are of as many", async () => {
    const number = { ...PUBLISHED, dataset: "" };
    startFakeServer({
      ...BASE,
      [BOARD]: boards,
      [FILTERS]: CHOICES,
      "GET /api/projects/nq/reference-scores": [
        { ...number, id: "r1", value: 0.24, n: 3610 },
        { ...number, id: "r2", measure: "human", value: 0.64, n: 3610 },
        { ...number, id: "r3", about: "100 questions", value: 0.25 },
      ],
    });
    openApp("/nq/leaderboard?scope=both");
    const table = await screen.findByRole("table", { name: /Judged questions and all questions/ });
    // People judge no question beyond the sample, so a number of theirs has a column there only.
    const [whole, part] = await within(table).findAllByRole("row", { name: /^GPT-3 of the paper/ });
    expect(whole).toHaveTextContent(/published24\.0of 3,610 answers–64\.0of 3,610 answers$/);
    expect(part).toHaveTextContent(/published · 100 questions–25\.0of 100 answers–$/);
    const [all, sample] = (await savedRows("sample-beside-all")).slice(-2);
    const source = { published: "Si et al." };
    expect(all).toMatchObject({ ...source, "all exact_match": "0.24", "sample exact_match": "" });
    expect(all).toMatchObject({
      "sample human": "0.64",
      "sample human n": "3610",
      "all exact_match rank": "",
    });
    expect(sample).toMatchObject({ ...source, "all exact_match": "", "sample exact_match": "0.25" });
  });

  it("says so where nobody answered more than the sample", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [FILTERS]: CHOICES });
    openApp("/nq/leaderboard?scope=both");
    expect(
      await screen.findByText(/No system has answers to questions that people do not judge/),
    ).toBeVisible();
  });

  it("offers no choice where people judge every question", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [FILTERS]: { ...CHOICES, has_rest: false } });
    openApp("/nq/leaderboard");
    expect(
      await screen.findByRole("table", { name: "Scores of systems for each way of judging" }),
    ).toBeVisible();
    expect(screen.queryByRole("radio", { name: "Side by side" })).toBeNull();
  });
});

describe("unambiguous questions", () => {
  const open = async (knows_references: boolean) => {
    const choices = { ...CHOICES, has_ambiguous: true, knows_references };
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [FILTERS]: choices });
    openApp("/nq/leaderboard?questions=unambiguous");
    return await screen.findByRole("combobox", { name: "Questions" });
  };

  it("say what is not asked where nobody counted references", async () => {
    const questions = await open(false);
    expect(questions).toHaveAccessibleDescription(/so this condition is ignored/);
    expect(questions).toHaveDisplayValue("Not flagged as ambiguous by any annotator");
  });

  it("have three references where they were counted", async () => {
    const questions = await open(true);
    expect(questions).not.toHaveAccessibleDescription();
    expect(questions).toHaveDisplayValue(
      "Not flagged as ambiguous by any annotator, and with gold answers from at least 3 of the data set’s annotators",
    );
  });
});

describe("data sets", () => {
  const score = makeScore(0.29, { correct: 29, low: 0.21, high: 0.39 });
  const row = {
    column: "exact_match",
    name: "Exact match",
    kind: "judge",
    signature: "em",
  };

  it("stand with their questions, ways of judging and systems", async () => {
    startFakeServer({
      ...BASE,
      [DATASETS]: {
        datasets: [{ name: "NQ", questions: 100, pending: 3 }],
        systems: [{ system: "gpr", label: "GPR" }],
        rows: [{ ...row, dataset: "NQ", scores: { gpr: score } }],
      },
    });
    openApp("/nq/leaderboard/datasets");
    expect(await screen.findByText(/1 system on 1 data set\. With one data set/)).toBeVisible();
    const table = screen.getByRole("table", { name: /NQ: scores \(percent\)/ });
    expect(within(table).getByText(/ · 3 system answers undecided$/)).toBeVisible();
    expect(within(table).getByRole("cell", { name: /^29.0/ })).toHaveTextContent(
      "29.0, 95% interval 21.0 to 39.0",
    );
  });

  it("have published systems as columns of their own, where one fits", async () => {
    startFakeServer({
      ...BASE,
      [FILTERS]: { ...CHOICES, datasets: ["NQ", "TQ"] },
      "GET /api/projects/nq/reference-scores": [
        { ...PUBLISHED, id: "r1" },
        { ...PUBLISHED, id: "r2", dataset: "", value: 0.99 },
        { ...PUBLISHED, id: "r3", measure: "elsewhere" },
      ],
      [DATASETS]: {
        datasets: [{ name: "NQ", questions: 100, pending: 0 }],
        systems: [{ system: "gpr", label: "GPR" }],
        rows: [{ ...row, dataset: "NQ", scores: { gpr: score } }],
      },
    });
    openApp("/nq/leaderboard/datasets");
    const table = await screen.findByRole("table", { name: /NQ: scores \(percent\)/ });
    expect(
      await within(table).findByRole("columnheader", { name: /GPT-3 of the paper\s?published/ }),
    ).toBeVisible();
    expect(within(table).getByTitle("Published: Si et al.")).toHaveTextContent("24.0of 100 answers");
    expect(within(table).queryByText(/99.0/)).toBeNull();
    // Nobody is the best against a number from elsewhere.
    expect(within(table).queryByText("(best)")).toBeNull();
    expect(screen.getByRole("button", { name: "Add published result" })).toBeVisible();
  });

  it("say what they need before anything was judged", async () => {
    startFakeServer({ ...BASE, [DATASETS]: { datasets: [], systems: [], rows: [] } });
    openApp("/nq/leaderboard/datasets");
    expect(await screen.findByText("Scores by data set appear here")).toBeVisible();
  });
});

describe("what is known of systems", () => {
  const sized = (board: ReturnType<typeof makeBoard>) => ({
    ...board,
    rows: board.rows.map((row, place) => ({
      ...row,
      description: { size_bytes: (2 - place) * 1_048_576, closed_book: place === 0 },
    })),
  });

  it("orders the track of the smallest by size, with the size in a column", async () => {
    const calls = startFakeServer({
      ...BASE,
      [BOARD]: sized(makeBoard(true)),
      [FILTERS]: { ...CHOICES, has_sizes: true },
    });
    openApp("/nq/leaderboard");
    await userEvent.selectOptions(await screen.findByLabelText("System size"), "smallest");
    expect(await screen.findByText(/Chatty is the smallest of the 2 systems .* 1\sMiB/)).toBeVisible();
    const table = screen.getByRole("table", { name: "Scores of systems for each way of judging" });
    expect(within(table).getByRole("columnheader", { name: /Size/ })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/^Chatty11\sMiB/);
    expect(calls.some(({ query }) => query.includes("least_share=0.25"))).toBe(true);
  });

  it("is described by a lead, and sent in bytes", async () => {
    const system = {
      id: "s1",
      name: "dpr",
      label: "DPR",
      group: "",
      description: {},
      prediction_count: 3,
    };
    const calls = startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      "GET /api/projects/nq/systems": [system],
      "PATCH /api/projects/nq/systems/s1": system,
    });
    openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByText(/Describe systems/));
    await userEvent.click(await screen.findByRole("button", { name: /^Describe\s*DPR$/ }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("Size on disk"), "500");
    await userEvent.selectOptions(within(dialog).getByLabelText("Open or closed book"), "open");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodiesOf(calls, "PATCH")[0]).toMatchObject({
      label: "DPR",
      description: { size_bytes: 524_288_000, closed_book: false, retrieval_depth: null },
    });
  });
});
