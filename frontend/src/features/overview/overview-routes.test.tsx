import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Overview } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { startFakeServer } from "../../test/fake-server";
import { BASE, makeOverview, makeResults, makeSetup, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const HALF = {
  stages: [
    { key: "judging", name: "Judging in progress", count: 10 },
    { key: "decided", name: "Decided", count: 10 },
  ],
  questions: 5,
  asked_questions: 5,
  answers: 20,
};

function open(more: Partial<Overview> = {}) {
  startFakeServer({
    ...BASE,
    "GET /api/projects/nq/overview": makeOverview({ ...HALF, ...more }),
  });
  openApp("/nq/overview");
}

const headings = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);

describe("the overview", () => {
  it("says what to do next before what is known, each with what is done about it", async () => {
    open({
      needs: [{ key: "queue", text: "answers are waiting for a decision", count: 3, href: "queue" }],
    });
    const next = await screen.findByRole("link", {
      name: /^3\s?answers are waiting for a decision\s?Decide$/,
    });
    expect(next).toHaveAttribute("href", "/nq/queue");
    expect(headings()).toEqual(["What to do next", "Progress so far", "Results so far", "Annotators"]);
  });

  it("says what its stages count, as long as some are half judged", async () => {
    open();
    expect(
      await screen.findByText(
        /^The numbers count distinct answers\. An answer is at the “Judging in progress” stage if/,
      ),
    ).toBeVisible();
  });

  it("leads to the results once everything is decided", async () => {
    open({ answers: 10, stages: [{ key: "decided", name: "Decided", count: 10 }] });
    expect(await screen.findByText(/^Every answer is decided/)).toBeVisible();
    expect(screen.getByRole("link", { name: "View leaderboard" })).toHaveAttribute("href", "/nq/leaderboard");
    expect(screen.queryByText("Work left")).toBeNull();
    expect(screen.queryByText(/^The numbers count distinct answers/)).toBeNull();
  });

  it("leads to the import of answers once everything is decided but no system has any", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/overview": makeOverview({
        ...{ ...HALF, answers: 10, stages: [{ key: "decided", name: "Decided", count: 10 }] },
      }),
      "GET /api/projects/nq/setup": makeSetup({
        coverage: { ...makeSetup().coverage, systems: 0 },
      }),
    });
    openApp("/nq/overview");
    const next = await screen.findByRole("link", { name: "Import system answers" });
    expect(next).toHaveAttribute("href", "/nq/import");
    expect(screen.queryByText(/Read the results/)).toBeNull();
  });

  it("says why a number is not there", async () => {
    open({
      agreement: { kappa: makeFigure(null), words: "No answer has votes from two annotators yet." },
      why_no_movement:
        "The change is measured relative to exact match, which has not judged the answers yet.",
    });
    expect(await screen.findByText("No answer has votes from two annotators yet.")).toBeVisible();
    expect(
      screen.getByText(/^How much .* score\. The change is measured relative to exact match/),
    ).toBeVisible();
    expect(screen.getByText(/^This estimate appears after annotators have judged/)).toBeVisible();
  });

  it("tells what is left at the pace of one annotator", async () => {
    open({ forecast: { seconds: 50_400, votes_per_hour: 41.8 } });
    const left = (await screen.findByText("Work left")).parentElement as HTMLElement;
    expect(within(left).getByText("14 h")).toBeVisible();
    expect(left).toHaveTextContent("of annotators’ time in total, at 42 answers per annotator per hour.");
  });
});

describe("the results", () => {
  it("offer viewers no language model, and ask nothing that viewers may not read", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq": { ...PROJECT, role: "viewer" },
      "GET /api/projects/nq/overview": makeOverview(HALF),
      "GET /api/projects/nq/results": makeResults(),
    });
    openApp("/nq/overview");
    expect(await screen.findByRole("link", { name: "View judges compared with people" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "connect a model" })).toBeNull();
    expect(calls.filter(({ path }) => path.endsWith("/setup"))).toEqual([]);
  });

  it("offer no language model where one judges already", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/setup": makeSetup({ judges: ["LLM judge"] }),
      "GET /api/projects/nq/overview": makeOverview(HALF),
      "GET /api/projects/nq/results": makeResults(),
    });
    openApp("/nq/overview");
    expect(await screen.findByRole("link", { name: "View judges compared with people" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "connect a model" })).toBeNull();
  });

  it("stand in one place, with links to the boards they come from", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/overview": makeOverview(HALF),
      "GET /api/projects/nq/results": makeResults({ system: { undecided_because: "few_questions" } }),
    });
    openApp("/nq/overview");
    const results = (await screen.findByRole("heading", { name: "Results" })).parentElement as HTMLElement;
    expect(results).toHaveTextContent("5 questions: too few to say which system is best.");
    expect(results).toHaveTextContent(/people have not decided any answers yet\./);
    const links = within(results).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/nq/leaderboard",
      "/nq/runs/board",
      "/nq/runs/connections",
      "/nq/runs/new?judge=llm",
    ]);
    expect(within(results).getByText("results|version:1")).toBeInTheDocument();
  });

  it("are asked for again also once all is decided, as judges may still be at work", async () => {
    const timed = vi.spyOn(globalThis, "setInterval");
    open({ answers: 10 });
    await screen.findByRole("heading", { name: /^Results/ });
    expect(timed.mock.calls.map(([, pause]) => pause)).toContain(30_000);
  });

  it("are left to the guide while people cannot judge", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/setup": makeSetup({ is_ready: false }),
      "GET /api/projects/nq/overview": makeOverview(HALF),
    });
    openApp("/nq/overview");
    await screen.findByRole("heading", { name: "Progress so far" });
    expect(screen.queryByRole("heading", { name: /^Results/ })).toBeNull();
  });
});
