/** What a viewer meets: the pages that leads read, without what changes anything. */
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Export, ProjectListItem } from "../api/schema";
import { bodiesOf, startFakeServer } from "../test/fake-server";
import { ANSWER_LINE, makeAnswerPage, makeOverview, makeResults, PROJECT, SESSION } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const VIEWER = {
  "GET /api/session": SESSION,
  "GET /api/projects/nq": { ...PROJECT, role: "viewer" },
  "GET /api/projects/nq/results": makeResults(),
  "GET /api/projects/nq/prejudging/audit": {
    ...{ rules: [{}], strata: [], signature: "" },
    pooled: { settled: 9, drawn: 2, open: 0 },
  },
};

function open(address: string, more: object = {}) {
  const calls = startFakeServer({ ...VIEWER, ...more });
  openApp(address);
  return calls;
}

const headings = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);

describe("a viewer", () => {
  it("lands on what was found and is known, without what is to be done and who works", async () => {
    const stages = [
      { key: "disputed", name: "Waiting for a decision", count: 3 },
      { key: "decided", name: "Decided", count: 7 },
    ];
    const calls = open("/nq", {
      "GET /api/projects/nq/overview": makeOverview({
        ...{ stages, questions: 5, asked_questions: 5, answers: 10, settled_by_programs: 2 },
        ...{ raters: [], needs: [], worker_running: false },
      }),
    });
    const stage = await screen.findByRole("link", { name: "Waiting for a decision" });
    expect(stage).toHaveAttribute("href", "/nq/answers?state=disputed");
    expect(headings()).toEqual(["Results so far", "Progress so far"]);
    expect(screen.queryByText("View pre-judging")).toBeNull();
    expect(calls.map(({ path }) => path)).not.toContain("/api/projects/nq/setup");
    const places = within(screen.getByRole("navigation", { name: "Project" })).getAllByRole("link");
    expect(places.map(({ textContent }) => textContent)).toEqual([
      "Overview",
      "Human judging",
      "Results",
      "Data",
    ]);
  });

  it("reads the table of answers and selects none", async () => {
    open("/nq/answers", {
      "GET /api/projects/nq/answers": makeAnswerPage({ count: 1, answers: [ANSWER_LINE] }),
      "GET /api/projects/nq/answer-choices": {
        ...{ systems: [], judges: [], datasets: [], tags: [], flags: [], sources: [] },
        raters: null,
      },
      "GET /api/projects/nq/answer-views": [
        { id: "v1", name: "Long", query: {}, by: "Lena", at: "2026-11-20T10:00:00Z", may_change: false },
      ],
    });
    expect(await screen.findByRole("link", { name: "Long" })).toBeVisible();
    expect(await screen.findByRole("table")).toBeVisible();
    expect(screen.queryByRole("checkbox", { name: /^Select/ })).toBeNull();
    for (const name of [/^Save/, /^Export/, /^Decide/])
      expect(screen.queryByRole("button", { name })).toBeNull();
    expect(await screen.findByText(/settled 7 answers without human review/)).toBeVisible();
    expect(screen.queryByText("View pre-judging")).toBeNull();
  });

  it("downloads files and creates none", async () => {
    const file: Export = {
      ...{ id: "e1", format: "votes-csv", name: "Votes", file_name: "votes.csv", state: "finished" },
      ...{ rows: 3, size: 90, sha256: "abc", message: "" },
      ...{ created_at: "2026-11-20T10:00:00Z", finished_at: "2026-11-20T10:00:00Z" },
    };
    open("/nq/export", {
      "GET /api/projects/nq/exports": [file],
      "GET /api/projects/nq/paper-tables": {
        systems: { about: "", columns: [], rows: [], latex: "", csv: "", latex_name: "", csv_name: "" },
        judges: { about: "", columns: [], rows: [], latex: "", csv: "", latex_name: "", csv_name: "" },
      },
      "GET /api/projects/nq/methods": { paragraphs: ["People judged."], missing: [] },
    });
    expect(await screen.findByText("People judged.")).toBeVisible();
    expect(await screen.findByRole("link", { name: /^Download/ })).toHaveAttribute(
      "href",
      "/api/exports/e1/download",
    );
    expect(screen.queryByText("Other formats")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Create/ })).toBeNull();
  });

  it("has a token of the project that reads, whatever was chosen before", async () => {
    const project: ProjectListItem = {
      ...{ slug: "nq", name: "NQ301", description: "", role: "viewer", state: "open" },
      ...{ question_count: 5, answer_count: 9, decided_count: 4, left_questions: null },
      waiting_decisions: null,
    };
    const calls = open("/account/tokens", {
      "GET /api/projects": [project],
      "GET /api/account/tokens": [],
      "POST /api/account/tokens": {},
    });
    await userEvent.click(await screen.findByRole("button", { name: "Create API token" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getByLabelText("Name"), "mine");
    await userEvent.selectOptions(dialog.getByLabelText("Access"), "Read and write");
    await userEvent.selectOptions(dialog.getByLabelText("Project"), "NQ301");
    expect(within(dialog.getByLabelText("Access")).getAllByRole("option")).toHaveLength(1);
    await userEvent.type(dialog.getByLabelText("Current password"), "phrase");
    await userEvent.click(dialog.getByRole("button", { name: "Create token" }));
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ project: "nq", scope: "read" });
  });

  it("is told in the list of projects what there is to read", async () => {
    const project: ProjectListItem = {
      ...{ slug: "nq", name: "NQ301", description: "", role: "viewer", state: "open" },
      ...{ question_count: 5, answer_count: 9, decided_count: 4, left_questions: null },
      waiting_decisions: null,
    };
    open("/", { "GET /api/projects": [project] });
    expect(
      await screen.findByText(/^Viewer · 5 questions · 9 answers · results and data to view$/),
    ).toBeVisible();
    expect(screen.getByText("4 of 9 answers decided")).toBeVisible();
    expect(screen.queryByText("Nothing to decide now")).toBeNull();
  });
});
