import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Setup } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE, makeOverview, makeSetup, UNEVEN_COVERAGE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const NEW = makeSetup({
  questions: 0,
  coverage: { systems: 0, behind: 0, behind_names: [], fewest: 0, most: 0, common: 0, uneven: 0 },
  sampled: 0,
  to_judge: 0,
  annotators_present: 0,
  judges: [],
  is_ready: false,
});

async function openOverview(setup: Setup) {
  startFakeServer({
    ...BASE,
    "GET /api/projects/nq/setup": setup,
    "GET /api/projects/nq/overview": makeOverview(),
  });
  openApp("/nq/overview");
  await screen.findByRole("heading", { name: "Overview" });
}

const TITLE = "Setup";

async function steps() {
  const heading = await screen.findByRole("heading", { name: TITLE });
  const items = within(heading.parentElement as HTMLElement).getAllByRole("listitem");
  return items.map((item) => within(item).getByRole("heading").textContent);
}

describe("a project that cannot be judged yet", () => {
  it("says what it needs, in order, and offers the next thing", async () => {
    await openOverview(NEW);
    expect(await steps()).toEqual([
      "Questions and gold answers: to do",
      "System answers: to do",
      "Questions to judge: to do",
      "Protocol: done",
      "Pre-judging (optional)",
      "People: to do",
      "Automatic judges: to do",
    ]);
    expect(screen.getByRole("link", { name: "Import files" })).toHaveAttribute("href", "/nq/import");
    expect(screen.getByText("This protocol needs 3 annotators.")).toBeVisible();
  });

  it("says what can still be changed of the protocol", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/setup": NEW,
      "GET /api/projects/nq/overview": makeOverview(),
    });
    openApp("/nq/overview");
    expect(await screen.findByText("You can still change labels, annotators, and guidelines.")).toBeVisible();
  });

  it("asks which questions to judge where systems answered different ones", async () => {
    const coverage = UNEVEN_COVERAGE;
    await openOverview(makeSetup({ coverage, is_ready: false, annotators_present: 0 }));
    expect((await steps())[2]).toBe("Questions to judge: to do");
    expect(screen.getByText("few and zero answer only 301 of 3,610 questions.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Choose questions" })).toHaveAttribute("href", "/nq/sample");
  });

  it("names pre-judging as an optional step before people are invited, where there is work to save", async () => {
    await openOverview(
      makeSetup({ is_ready: false, annotators_present: 0, judges: ["Exact match"], to_judge: 600 }),
    );
    expect((await steps()).slice(3, 6)).toEqual([
      "Protocol: done",
      "Pre-judging (optional)",
      "People: to do",
    ]);
    expect(screen.getByRole("link", { name: "Pre-judging (optional)" })).toHaveAttribute(
      "href",
      "/nq/prejudging",
    );
    // It is never what has to be done next.
    expect(screen.getByRole("link", { name: "Invite 3 annotators" })).toBeVisible();
  });

  it("names it before anything is imported", async () => {
    await openOverview(NEW);
    expect(await steps()).toContain("Pre-judging (optional)");
  });

  it("tells nothing of it where judging takes no longer than a sample", async () => {
    await openOverview(makeSetup({ is_ready: false, judges: ["Exact match"], to_judge: 599 }));
    await steps();
    expect(screen.queryByRole("link", { name: /Pre-judging/ })).toBeNull();
  });

  it("asks for the people its protocol still lacks", async () => {
    await openOverview(makeSetup({ is_ready: false, annotators_present: 2 }));
    expect(await steps()).toContain("People: to do");
    expect(screen.getByText("This protocol needs a third annotator.")).toBeVisible();
    const invite = screen.getByRole("link", { name: "Invite 1 annotator" });
    expect(invite).toHaveAttribute("href", "/nq/people?invite=1");
  });

  it("says that judges need no setup, and how a language model becomes one", async () => {
    await openOverview(NEW);
    const said = await screen.findByText(/^Judges that need no setup run automatically/);
    expect(said).toHaveTextContent(
      "after you import answers. You can also use a language model as a judge at any time: connect a model, then start the LLM judge.",
    );
    expect(within(said).getByRole("link", { name: "connect a model" })).toHaveAttribute(
      "href",
      "/nq/runs/connections",
    );
    expect(within(said).getByRole("link", { name: "start the LLM judge" })).toHaveAttribute(
      "href",
      "/nq/runs/new?judge=llm",
    );
  });

  it.each([
    ["one judges", "LLM judge"],
    ["the verdicts of one are imported", "Magpie 2 LLM (recorded)"],
  ])("no longer offers a language model where %s", async (_, judge) => {
    await openOverview(makeSetup({ judges: ["Exact match", judge], is_ready: false }));
    expect(await screen.findByText(`Started: Exact match, ${judge}.`)).toBeVisible();
    expect(screen.queryByRole("link", { name: "connect a model" })).toBeNull();
  });

  it("says of coverage nothing once the questions are chosen", async () => {
    const coverage = { ...UNEVEN_COVERAGE, uneven: 0 };
    await openOverview(makeSetup({ coverage, sample_method: "common", is_ready: false }));
    expect(await screen.findByText("12 systems.")).toBeVisible();
    expect(screen.queryByText(/answer only/)).toBeNull();
  });

  it("waits for those who are invited", async () => {
    await openOverview(makeSetup({ is_ready: false, annotators_present: 0, invited: 3 }));
    expect(await screen.findByText(/3 invited annotators have not joined yet/)).toBeVisible();
    expect(
      screen.getByText("Send the links to the people you invited. Judging starts when the first one joins."),
    ).toBeVisible();
    expect(screen.getByRole("link", { name: "Manage invitations" })).toHaveAttribute("href", "/nq/people");
  });
});

describe("a project that people judge", () => {
  it("needs no guide", async () => {
    await openOverview(makeSetup());
    await screen.findByText("Nothing has been imported yet.");
    expect(screen.queryByRole("heading", { name: TITLE })).toBeNull();
  });
});
