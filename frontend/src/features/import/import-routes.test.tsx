import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Import, Sample } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE, makeImport, makeSetup } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const NO_SYSTEMS = { systems: 0, behind: 0, behind_names: [], fewest: 0, most: 0, common: 0, uneven: 0 };
const SAMPLE: Sample = {
  ...{ questions: 3610, predictions: 36702, answers: 12345, sampled: 3610, judged: 301 },
  ...{ method: "all", options: {} },
  to_judge: { every: 12345, common: 12345, judged: 0 },
  matching: { every: 2469, common: 380, judged: 0 },
};

/** An import that the server moves on when it is told to. */
function importServer(before: Import, act: string, after: Import) {
  let current = before;
  const move = () => {
    current = after;
    return current;
  };
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq/import-formats": [],
    "GET /api/projects/nq/imports/i1": () => current,
    "GET /api/projects/nq/imports": () => [current],
    "GET /api/projects/nq/sample": SAMPLE,
    [`POST /api/projects/nq/imports/i1/${act}`]: move,
  });
}

describe("an import", () => {
  it("is shown before anything is stored, and stored on a word", async () => {
    const calls = importServer(makeImport(), "confirm", makeImport({ state: "applied" }));
    openApp("/nq/import?import=i1");
    expect(await screen.findByText(/Nothing has been saved yet/)).toBeVisible();
    const scrolled = vi.spyOn(window, "scrollTo");
    await userEvent.click(screen.getByRole("button", { name: "Import files" }));
    // What comes of it stands at the top, wherever the button was pressed.
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(await screen.findByText("Imported")).toBeVisible();
    expect(bodiesOf(calls, "POST")).toHaveLength(1);
  });

  it("shows systems by short names, says what is left out, and leads to the setting", async () => {
    const option = {
      ...{ name: "system_names", help: "", default: "as_in_file" },
      choices: ["as_in_file", "without_common_prefix", "shortened"],
    };
    const cause = {
      ...{ file: "", line: 0, column: "", severity: "warning" as const, code: "shortened_names" },
      ...{ message: "System names are shown without “NQ_”. Pages call the systems “DPR”, “FiD”." },
      ...{ lines: [], count: 1 },
    };
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [
        { key: "generic", name: "Questions and answers", summary: "", options: [option] },
      ],
      "GET /api/projects/nq/imports": [],
      "GET /api/projects/nq/imports/i1": makeImport({
        options: { system_names: "shortened" },
        problems: [cause],
        causes: [cause],
        problem_count: 1,
      }),
      "POST /api/projects/nq/imports/i1/check": makeImport({ options: { system_names: "as_in_file" } }),
    });
    openApp("/nq/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Change system names" }));
    const names = screen.getByLabelText("System names");
    expect(names).toHaveFocus();
    expect(names).toHaveDisplayValue("shortened (recommended)");
    await userEvent.selectOptions(names, "as in file");
    expect(bodiesOf(calls, "POST")).toEqual([{ format: "generic", options: { system_names: "as_in_file" } }]);
    expect(screen.queryByText(/^System names are shown without/)).toBeNull();
  });

  it("gives the keyboard back to a setting that was folded away while the files were checked", async () => {
    const option = { name: "candidates", help: "", default: "pooled", choices: ["pooled", "votes"] };
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [
        { key: "generic", name: "Questions and answers", summary: "", options: [option] },
      ],
      "GET /api/projects/nq/imports": [],
      "GET /api/projects/nq/imports/i1": makeImport(),
      "POST /api/projects/nq/imports/i1/check": makeImport({ options: { candidates: "votes" } }),
    });
    openApp("/nq/import?import=i1");
    // Chosen without a click, as on a device that shows a list of its own.
    fireEvent.change(await screen.findByLabelText("Candidates"), { target: { value: "votes" } });
    await waitFor(() => expect(screen.getByLabelText("Candidates")).toHaveFocus());
    expect(screen.getByLabelText("Candidates")).toBeVisible();
  });

  it("says before it is imported that some systems answer fewer questions, not only among the notes", async () => {
    const cause = {
      ...{ file: "", line: 0, column: "", severity: "warning" as const, code: "uneven_coverage" },
      ...{ message: "2 of 12 systems answer only 301 of 3,610 questions: “A”, “B”. Compare them.", count: 1 },
      lines: [],
    };
    importServer(makeImport({ causes: [cause] }), "undo", makeImport());
    openApp("/nq/import?import=i1");
    const said = await screen.findAllByText("2 of 12 systems answer only 301 of 3,610 questions.");
    expect(said[0]?.closest("details")).toBeNull();
  });

  it("leads on to the questions that people judge", async () => {
    importServer(makeImport({ state: "applied" }), "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    const next = await screen.findByRole("link", { name: "Choose questions to judge" });
    expect(next).toHaveAttribute("href", "/nq/sample");
  });

  it.each([
    [{ coverage: NO_SYSTEMS }, "Import system answers", "/nq/import"],
    [{ sample_method: "common" as const }, "Go to overview", "/nq/overview"],
  ])("offers one next step: %o leads to %s", async (changed, act, address) => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [],
      "GET /api/projects/nq/imports": [],
      "GET /api/projects/nq/imports/i1": makeImport({ state: "applied" }),
      "GET /api/projects/nq/sample": SAMPLE,
      "GET /api/projects/nq/setup": makeSetup(changed),
    });
    openApp("/nq/import?import=i1");
    expect(await screen.findByRole("link", { name: act })).toHaveAttribute("href", address);
  });

  it("is checked again by itself by what was changed, and not stored before", async () => {
    const formats = [
      {
        key: "generic",
        name: "Questions and answers",
        summary: "",
        options: [
          { name: "mojibake", help: "", default: "keep", choices: ["keep", "repair"] },
          { name: "dataset", help: "", default: "", choices: [] },
        ],
      },
    ];
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": formats,
      "GET /api/projects/nq/imports/i1": makeImport(),
      "POST /api/projects/nq/imports/i1/check": makeImport({ state: "checking" }),
    });
    const posts = () => calls.filter(({ method }) => method === "POST");
    openApp("/nq/import?import=i1");
    const store = await screen.findByRole("button", { name: "Import files" });
    await userEvent.click(screen.getByText("More options"));
    await userEvent.type(await screen.findByLabelText("Dataset"), "NQ");
    expect(store).toBeDisabled();
    expect(posts()).toEqual([]);
    await userEvent.click(store);
    expect(posts().map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: "/api/projects/nq/imports/i1/check",
        body: { format: "generic", options: { dataset: "NQ" } },
      },
    ]);
    expect(await screen.findByText("Checking the files")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Import files" })).toBeNull();
  });

  it("asks beside the error what a column contains that nobody knows", async () => {
    const error = {
      ...{ file: "a.csv", line: 1, column: "reply", severity: "error" as const, code: "unknown_column" },
      ...{ message: "The column “reply” is not known.", lines: [1], count: 1 },
    };
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [
        { key: "generic", name: "Questions and answers", summary: "", options: [] },
      ],
      "GET /api/projects/nq/imports/i1": makeImport({
        state: "refused",
        causes: [error],
        problem_count: 1,
        problems: [error],
        columns: [{ name: "reply", meaning: "", system: "", values: ["Curie"] }],
      }),
      "POST /api/projects/nq/imports/i1/check": makeImport({ state: "checking" }),
    });
    openApp("/nq/import?import=i1");
    const field = await screen.findByLabelText("Content of column “reply”");
    expect(field.closest("li")).toHaveTextContent("The column “reply” is not known.");
    expect(screen.getByText("Contains “Curie”")).toBeVisible();
    await userEvent.selectOptions(field, "gold");
    expect(bodiesOf(calls, "POST")).toEqual([{ format: "generic", options: { map: { reply: "gold" } } }]);
  });

  it("has the setting beside the note that it is about, at its recommended value", async () => {
    const option = { name: "mojibake", help: "", default: "keep", choices: ["keep", "repair"] };
    const warn = (code: string) => ({
      ...{ file: "DPR.jsonl", line: 3, column: "", severity: "warning" as const, message: code, lines: [3] },
      ...{ code, count: 1 },
    });
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [
        { key: "generic", name: "Questions and answers", summary: "", options: [option] },
      ],
      "GET /api/projects/nq/imports/i1": makeImport({
        causes: [warn("empty_answers"), warn("mojibake"), warn("gold_differs"), warn("list_prediction")],
        problem_count: 4,
        problems: [warn("gold_differs")],
      }),
      "POST /api/projects/nq/imports/i1/check": makeImport({ state: "checking" }),
    });
    openApp("/nq/import?import=i1");
    const field = await screen.findByLabelText("Garbled text");
    expect(field.closest("li")).toHaveTextContent("1 text looks garbled. It is imported unchanged");
    expect(within(field).getByRole("option", { selected: true })).toHaveTextContent("keep (recommended)");
    // This format has no setting for lists, and none changes what differs.
    expect(screen.getAllByLabelText("Garbled text")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: /^Change/ })).toBeNull();
    // What needs somebody stands first, and what needs nobody is folded.
    const lines = screen.getAllByText(/^1 (row|text|file)/).map((line) => line.textContent);
    expect(lines).toEqual([
      "1 row lists several predictions. Only the first is judged.",
      "1 text looks garbled. It is imported unchanged, so automatic judges may reject a correct answer.",
      "1 file has empty answers, which people also judge.",
      "1 row repeats a question with different gold answers. Each row is scored against its own.",
    ]);
    for (const note of lines.slice(1))
      expect(screen.getByText(note ?? "").closest("details")).not.toHaveAttribute("open");
    const offer = screen.getByText("1 optional setting: the recommended value will apply").closest("details");
    expect(offer).toContainElement(field);
    expect(screen.getByText("2 notes: no action needed").closest("details")).not.toContainElement(field);
    expect(screen.getByText("1 setting that you can change.")).toBeVisible();
    await userEvent.selectOptions(field, "repair");
    expect(bodiesOf(calls, "POST")).toEqual([{ format: "generic", options: { mojibake: "repair" } }]);
  });

  it("folds notes, settings and rows where nothing is to be decided", async () => {
    const note = {
      ...{ file: "DPR.jsonl", line: 3, column: "", severity: "warning" as const, message: "x", lines: [3] },
      ...{ code: "gold_differs", count: 95 },
    };
    importServer(
      makeImport({ causes: [note], problem_count: 95, problems: [note] }),
      "confirm",
      makeImport({ state: "applied" }),
    );
    openApp("/nq/import?import=i1");
    const summary = await screen.findByText("1 note: no action needed");
    expect(summary.closest("details")).not.toHaveAttribute("open");
    expect(screen.getByText("File settings").closest("details")).not.toHaveAttribute("open");
    expect(screen.getByText(/95 rows repeat a question/)).not.toBeVisible();
    expect(screen.queryByRole("heading", { name: "Warnings" })).toBeNull();
  });

  it("does not fold a setting among notes that need no action where there are only notes", async () => {
    const note = (code: string) => ({
      ...{ file: "DPR.jsonl", line: 3, column: "", severity: "warning" as const, message: "x", lines: [3] },
      ...{ code, count: 1 },
    });
    const problems = [note("empty_answers"), note("shortened_names")];
    importServer(
      makeImport({ causes: problems, problem_count: 2, problems }),
      "confirm",
      makeImport({ state: "applied" }),
    );
    openApp("/nq/import?import=i1");
    expect(await screen.findByText("1 optional setting: the recommended value will apply")).toBeVisible();
    expect(screen.getByText("1 note: no action needed")).toBeVisible();
  });

  it("says that it is still at work once the last row is saved", async () => {
    const last = makeImport({ state: "applying", rows_done: 36702, rows_total: 36702 });
    importServer(last, "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    const bar = await screen.findByRole("progressbar", { name: "Preparing the answers for judging" });
    expect(bar).not.toHaveAttribute("value");
    expect(screen.queryByText(/36,702/)).toBeNull();
  });

  it.each([
    ["applying", 5, true],
    ["applying", 10, true],
    ["checking", 5, false],
    ["undoing", 5, false],
  ] as const)(
    "says that the lead may leave while it is saved: %s, %d rows, %s",
    async (state, rows, mayLeave) => {
      const found = makeImport({ state, rows_done: rows, rows_total: 10 });
      importServer(found, "undo", makeImport({ state: "undone" }));
      openApp("/nq/import?import=i1");
      await screen.findByRole("progressbar");
      expect(screen.queryAllByText(/^You can leave this page\./)).toHaveLength(mayLeave ? 1 : 0);
    },
  );

  it("says once it is in what was done about garbled text, and how to change that", async () => {
    const warning = {
      ...{ file: "DPR.jsonl", line: 3, column: "", severity: "warning" as const, message: "x", lines: [3] },
      ...{ code: "mojibake", count: 1232 },
    };
    const done = makeImport({
      ...{ state: "applied", options: { mojibake: "repair" } },
      ...{ causes: [warning], problem_count: 1232, problems: [warning] },
    });
    importServer(done, "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    const line = (await screen.findByText("1,232 garbled texts are repaired.")).closest("li");
    expect(line).toHaveTextContent("To change “Garbled text,” undo this import and import the files again.");
    expect(line?.querySelector("select")).toBeNull();
  });

  it("says nothing of an earlier check while it is checked by other settings", async () => {
    const warning = {
      ...{ file: "DPR.jsonl", line: 3, column: "", severity: "warning" as const, message: "x", lines: [3] },
      ...{ code: "mojibake", count: 3 },
    };
    const again = makeImport({
      ...{ state: "checking", options: { mojibake: "repair" } },
      ...{ causes: [warning], problem_count: 3, problems: [warning] },
    });
    importServer(again, "cancel", makeImport());
    openApp("/nq/import?import=i1");
    expect(await screen.findByText("Checking the files")).toBeVisible();
    expect(screen.queryByText(/garbled/)).toBeNull();
    expect(screen.queryByText("First rows")).toBeNull();
  });

  it("that is refused names line and cause and cannot be stored", async () => {
    const problem = {
      file: "DPR.jsonl",
      line: 14,
      column: "",
      severity: "error" as const,
      code: "not_an_object",
      message: "The line is JSON, but not an object.",
    };
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [],
      "GET /api/projects/nq/imports/i1": makeImport({
        state: "refused",
        problems: [problem],
        causes: [{ ...problem, count: 1, lines: [14] }],
        problem_count: 1,
      }),
    });
    openApp("/nq/import?import=i1");
    expect(await screen.findByText("The line is JSON, but not an object.")).toBeVisible();
    expect(screen.getByText("DPR.jsonl, line 14")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Import files" })).toBeNull();
  });

  it("says first what is wrong, then what is said of the whole, then single lines", async () => {
    const cause = (message: string, severity: "error" | "warning", lines: number[]) => ({
      ...{ file: "DPR.jsonl", line: lines[0] ?? 0, column: "", code: message, message, severity, lines },
      count: 1,
    });
    const causes = [
      cause("A line.", "warning", [3]),
      cause("The whole.", "warning", []),
      cause("A fault.", "error", [9]),
    ];
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [],
      "GET /api/projects/nq/imports/i1": makeImport({
        state: "refused",
        problems: causes,
        causes,
        problem_count: 3,
      }),
    });
    openApp("/nq/import?import=i1");
    await screen.findByText("The whole.");
    const said = screen.getAllByText(/^(A line|The whole|A fault)\.$/).map((each) => each.textContent);
    expect(said).toEqual(["A fault.", "The whole.", "A line."]);
  });

  it("with votes on a part of the questions has just that part judged, by one press", async () => {
    const votes = makeImport({ state: "applied", counts: { votes: 3800, answers: 1900 } });
    let sample = SAMPLE;
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/import-formats": [],
      "GET /api/projects/nq/imports": [votes],
      "GET /api/projects/nq/imports/i1": votes,
      "GET /api/projects/nq/sample": () => sample,
      "POST /api/projects/nq/sample": () => (sample = { ...SAMPLE, sampled: 301, method: "votes" }),
    });
    openApp("/nq/import?import=i1");
    expect(await screen.findByText("Only 301 of 3,610 questions have votes")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Choose questions to judge" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Use only questions with votes" }));
    expect(await screen.findByText("301 questions selected.")).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/questions have votes/)).toBeNull());
    expect(bodiesOf(calls, "POST")[0]).toEqual({ method: "votes" });
  });

  it("without votes offers no part of the questions", async () => {
    importServer(makeImport({ state: "applied" }), "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    expect(await screen.findByText("Imported")).toBeVisible();
    expect(screen.queryByText(/questions have votes/)).toBeNull();
  });

  it("says how many rows were checked, of how many nobody knows", async () => {
    importServer(makeImport({ state: "checking", rows_done: 25300 }), "cancel", makeImport());
    openApp("/nq/import?import=i1");
    expect(await screen.findByRole("progressbar", { name: "Checking the files" })).toBeVisible();
    expect(screen.getByText("25,300 rows checked")).toBeVisible();
  });

  it("says that it is on its way out until the last of it is gone", async () => {
    importServer(makeImport({ state: "undoing" }), "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    expect((await screen.findAllByText("Removing the rows"))[0]).toBeVisible();
    expect(screen.queryByRole("button", { name: "Undo import" })).toBeNull();
  });

  it("says what is lost before it is taken back", async () => {
    const calls = importServer(makeImport({ state: "applied" }), "undo", makeImport({ state: "undone" }));
    openApp("/nq/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Undo import" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("3 questions · 1 system · 3 system answers");
    await userEvent.click(within(dialog).getByRole("button", { name: "Undo import" }));
    expect(await screen.findByText(/Import undone/)).toBeVisible();
    expect(calls.filter((call) => call.path.endsWith("/undo"))).toHaveLength(1);
  });
});
