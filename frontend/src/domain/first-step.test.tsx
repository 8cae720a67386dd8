import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { startFakeServer } from "../test/fake-server";
import { BASE, makeSetup } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const NO_SYSTEMS = { systems: 0, behind: 0, behind_names: [], fewest: 0, most: 0, common: 0, uneven: 0 };
const EMPTY = makeSetup({ questions: 0, to_judge: 0, coverage: NO_SYSTEMS, is_ready: false });

function openRuns(setup: unknown) {
  startFakeServer({
    ...BASE,
    "GET /api/projects/nq/setup": setup,
    "GET /api/projects/nq/runs": [],
    "GET /api/projects/nq/tagging": { rounds: [], runs: [], people: [] },
  });
  openApp("/nq/failures");
}

describe("a page that has nothing yet", () => {
  it("leads to the import in an empty project, and says what it waits for itself", async () => {
    openRuns(EMPTY);
    const button = await screen.findByRole("link", { name: "Import questions and answers" });
    expect(button).toHaveAttribute("href", "/nq/import");
    expect(
      screen.getByText("First, import questions and answers. Then people judge and decide."),
    ).toBeVisible();
    expect(screen.queryByRole("link", { name: "Create round" })).toBeNull();
  });

  it("leads to the answers of systems where only questions are there", async () => {
    openRuns({ ...EMPTY, questions: 3 });
    expect(await screen.findByRole("link", { name: "Import system answers" })).toBeVisible();
  });

  it("leads to its own step once there is something to judge", async () => {
    openRuns(makeSetup());
    expect(await screen.findByRole("link", { name: "Create round" })).toBeVisible();
    expect(screen.queryByText(/^First/)).toBeNull();
  });
});
