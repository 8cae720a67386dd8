import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { speak } from "../../lib/i18n/catalog";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE, makeOverview, makeSetup } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const FORMAT = {
  key: "report-html",
  group: "paper",
  name: "Report of the study (HTML)",
  summary: "All in one file.",
  file_name: "nq_report.html",
  command: "python manage.py export_data",
  row_count: 1490,
  unit: "answer",
  left_out: null as { equal_to_gold: number; equal_to_addition: number } | null,
  preview: ["<!doctype html>"],
};

const FORMATS_OPEN = "/nq/export?open=formats";

const VOTES = {
  ...FORMAT,
  key: "votes-csv",
  group: "votes",
  name: "Votes, one per row (CSV)",
  file_name: "nq_votes.csv",
  row_count: 3,
  unit: "row",
};

const TABLE = {
  about: "Scores in percent over 44 questions.",
  columns: ["System", "n", "People (95% CI)"],
  rows: [["Heron 100", "34", "88.2 (73.4–95.3)"]],
  csv: "system,n,human\nHeron 100,34,0.882\n",
  csv_name: "nq_systems.csv",
  latex: "\\begin{tabular}{lrr}\n\\end{tabular}\n",
  latex_name: "nq_systems.tex",
};

const MADE = {
  id: "e1",
  format: "report-html",
  name: FORMAT.name,
  file_name: FORMAT.file_name,
  state: "finished",
  rows: 1490,
  size: 2048,
  sha256: "ab".repeat(32),
  created_at: "2026-11-26T12:00:00Z",
  finished_at: "2026-11-26T12:00:01Z",
  message: "",
};

const IN_WORK = makeOverview({
  answers: 5,
  stages: [
    { key: "waiting", name: "Not started", count: 4 },
    { key: "decided", name: "Decided", count: 1 },
  ],
});

interface Started {
  readonly overview?: typeof IN_WORK;
  readonly systems?: typeof TABLE;
  readonly formats?: readonly (typeof FORMAT)[];
  readonly address?: string;
  readonly made?: typeof MADE;
}

function start(
  methods: { paragraphs: string[]; missing: string[] },
  {
    formats = [FORMAT],
    address = "/nq/export",
    made = MADE,
    overview = IN_WORK,
    systems = TABLE,
  }: Started = {},
) {
  let count = 0;
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/methods": { ...methods, text: methods.paragraphs.join(" ") },
    "GET /api/projects/nq/exports": [],
    "GET /api/projects/nq/paper-tables": { systems, judges: { ...TABLE, rows: [] } },
    "GET /api/projects/nq/overview": overview,
    "GET /api/projects/nq/setup": makeSetup(overview.answers === 0 ? { questions: 0, to_judge: 0 } : {}),
    "GET /api/projects/nq/export-formats": formats,
    "POST /api/projects/nq/exports": () => ({ ...made, id: `e${++count}` }),
  });
  openApp(address);
  return calls;
}

describe("what a form leaves out", () => {
  const methods = { paragraphs: ["x"], missing: [] };
  const of = (equal_to_gold: number, equal_to_addition: number) => ({
    ...VOTES,
    left_out: { equal_to_gold, equal_to_addition },
  });

  it("is counted by cause", async () => {
    start(methods, { formats: [of(1201, 1)], address: FORMATS_OPEN });
    expect(
      await screen.findByText(
        "1,201 added answers are left out because exact match treats each as equal to an original gold answer.",
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText(
        "1 added answer is left out because exact match treats it as equal to another added answer.",
      ),
    ).toBeInTheDocument();
  });

  it("is said in German, and to be German on this page", async () => {
    start(methods, { formats: [of(2, 0)], address: FORMATS_OPEN });
    await screen.findByText(/^2 added answers are left out/);
    await act(() => speak("de"));
    const words = await screen.findByText(/^2 hinzugefügte Antworten fehlen/);
    expect(words.closest("[lang]")).toHaveAttribute("lang", "de");
  });

  it("is said where it is nothing, and not of forms that leave nothing out", async () => {
    start(methods, { formats: [of(0, 0)], address: FORMATS_OPEN });
    expect(await screen.findByText("All added answers are included.")).toBeInTheDocument();
  });
});

describe("all formats", () => {
  const methods = { paragraphs: ["x"], missing: [] };
  const EMPTY = { ...VOTES, key: "checks-csv", group: "other", name: "Question checks (CSV)", row_count: 0 };

  it("are folded away", async () => {
    start(methods, { formats: [FORMAT, VOTES] });
    await screen.findByText("All in one file.");
    expect(screen.queryByText(VOTES.name)).toBeNull();
  });

  it("stand in groups, those without rows folded at the end", async () => {
    const gold = { ...VOTES, key: "gold-csv", group: "gold", name: "Gold list (CSV)" };
    start(methods, { formats: [EMPTY, FORMAT, VOTES, gold], address: FORMATS_OPEN });
    await screen.findByRole("heading", { name: VOTES.name });
    const titles = screen.getAllByRole("heading", { level: 4 }).map(({ textContent }) => textContent);
    // The report stands above, with its own button.
    expect(titles).toEqual([gold.name, VOTES.name, EMPTY.name]);
    const folded = screen.getByText("Formats without any data yet (1)").closest("details");
    expect(folded).not.toHaveAttribute("open");
    expect(within(folded as HTMLElement).getByText(EMPTY.name)).toBeInTheDocument();
  });
});

describe("a table", () => {
  it("is read here and copied as LaTeX and as CSV", async () => {
    const user = userEvent.setup();
    start({ paragraphs: ["x"], missing: [] });
    expect(await screen.findByRole("rowheader", { name: "Heron 100" })).toBeInTheDocument();
    expect(screen.getByRole("cell", { name: "88.2 (73.4–95.3)" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Copy systems as LaTeX" }));
    expect(await navigator.clipboard.readText()).toBe(TABLE.latex);
    await user.click(screen.getByRole("button", { name: "Copy systems as CSV" }));
    expect(await navigator.clipboard.readText()).toBe(TABLE.csv);
    expect(screen.getByRole("button", { name: "Download nq_systems.tex" })).toBeInTheDocument();
  });

  it("has a column of ranks once a system is ranked", async () => {
    const ranked = (rank: string) => ({
      ...TABLE,
      columns: [...TABLE.columns, "Rank (95% CI)"],
      rows: [...TABLE.rows.map((row) => [...row, rank]), ["Wren", "34", "–", "–"]],
    });
    start({ paragraphs: ["x"], missing: [] }, { systems: ranked("–") });
    expect(await screen.findByRole("rowheader", { name: "Wren" })).toBeInTheDocument();
    expect(screen.queryByRole("columnheader", { name: /^Rank/ })).toBeNull();
    expect(screen.getByRole("columnheader", { name: /^People/ })).toBeInTheDocument();
    cleanup();
    start({ paragraphs: ["x"], missing: [] }, { systems: ranked("1 (1–2)") });
    expect(await screen.findByRole("columnheader", { name: "Rank (95% CI)" })).toBeInTheDocument();
  });

  it("says when it will have rows", async () => {
    start({ paragraphs: ["x"], missing: [] });
    expect(await screen.findByText(/^The table appears here after people/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Copy judges as LaTeX" })).toBeNull();
  });
});

describe("a file", () => {
  it("is downloaded where it was created, by the link that replaces the button", async () => {
    const user = userEvent.setup();
    const calls = start({ paragraphs: ["x"], missing: [] });
    await user.click(await screen.findByRole("button", { name: `Create report: ${FORMAT.name}` }));
    const link = await screen.findByRole("link", { name: /^Download \(.+\): Report of the study/ });
    expect(link).toHaveAttribute("href", "/api/exports/e1/download");
    expect(link).toHaveFocus();
    screen.getByRole("button", { name: `Create again: ${FORMAT.name}` }).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(bodiesOf(calls, "POST")).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole("link", { name: /^Download \(/ })).toHaveFocus());
    expect(screen.getByRole("link", { name: /^Download \(/ })).toHaveAttribute(
      "href",
      "/api/exports/e2/download",
    );
  });

  it("keeps the focus on the button while it is created", async () => {
    const user = userEvent.setup();
    const calls = start({ paragraphs: ["x"], missing: [] }, { made: { ...MADE, state: "running" } });
    await user.click(await screen.findByRole("button", { name: `Create report: ${FORMAT.name}` }));
    const busy = await screen.findByRole("button", { name: `Creating file: ${FORMAT.name}` });
    expect(busy).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(bodiesOf(calls, "POST")).toHaveLength(1);
  });
});

describe("the methods paragraph", () => {
  it("stands first, in short paragraphs, to be copied as it is", async () => {
    const user = userEvent.setup();
    start({ paragraphs: ["Two annotators judged each answer.", "EMDR2 71.2%."], missing: [] });
    expect(await screen.findByText("Two annotators judged each answer.")).toBeInTheDocument();
    const titles = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(["For your paper", "Other formats", "Files"]);
    await user.click(screen.getByRole("button", { name: "Copy methods and results" }));
    expect(await navigator.clipboard.readText()).toBe("Two annotators judged each answer.\n\nEMDR2 71.2%.");
    expect(screen.queryByText("This information is still missing:")).toBeNull();
  });

  it("says what lacks while the study is not finished", async () => {
    start({
      paragraphs: ["Preliminary: this study is not finished."],
      missing: ["4 of 5 distinct answers are not decided yet."],
    });
    const lead = await screen.findByText("This information is still missing:");
    expect(screen.getByText("Preliminary: this study is not finished")).toBeInTheDocument();
    // Above all that it is true of.
    const paper = screen.getByRole("heading", { name: "For your paper" });
    expect(lead.compareDocumentPosition(paper)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(await screen.findByRole("button", { name: "Copy methods and results" })).toBeInTheDocument();
    expect(
      within(lead.parentElement as HTMLElement).getByText("4 of 5 distinct answers are not decided yet."),
    ).toBeInTheDocument();
  });

  const PRELIMINARY = {
    paragraphs: ["Preliminary: this study is not finished."],
    missing: ["No questions have been imported yet."],
  };

  it("waits for people to judge, and before that for an import", async () => {
    start(PRELIMINARY, { overview: makeOverview() });
    expect(await screen.findByText("The text appears here after people have judged.")).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "Import questions and answers" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Copy methods and results" })).toBeNull();
    expect(screen.queryByText(/^Preliminary/)).toBeNull();
  });

  it("waits while nobody has judged an imported answer", async () => {
    const stages = [{ key: "waiting", name: "Not started", count: 5 }];
    start(PRELIMINARY, { overview: makeOverview({ answers: 5, stages }) });
    expect(await screen.findByText("The text appears here after people have judged.")).toBeInTheDocument();
    expect(screen.getByText("Preliminary: this study is not finished")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Copy methods and results" })).toBeNull();
  });

  it("stands above a report that counts answers", async () => {
    start({ paragraphs: ["x"], missing: [] });
    expect(await screen.findByText(/1,490 answers/)).toBeInTheDocument();
  });
});
