/** Proposals for the gold list, as a lead looks at them and accepts them. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { ProposalRow, Proposals } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { moveWords } from "./proposals-page";

const MOVE = { system: "gamma", label: "Gamma", n: 3, before: 0, after: 2, rank_before: 3, rank_after: 2 };

const NAME: ProposalRow = {
  id: "q1-abc",
  kind: "name",
  question: "who led it",
  question_id: "q1",
  text: "\\Aada\\z",
  examples: ["Ada Cole"],
  source: "It was led by Ada Cole.",
  source_answer: "a1",
  supported: 2,
  right: 0,
  wrong: 1,
  open: 7,
  wrong_answers: [{ id: "a2", text: "Ada B. Cole", systems: ["Beta"] }],
  open_answers: [{ id: "a3", text: "Sir Ada Cole", systems: [] }],
  moves: [MOVE],
};

const LISTED: Proposals = {
  count: 1,
  before: 0,
  previous: null,
  next: null,
  all: 4,
  safe: 3,
  wrong: 1,
  dismissed: 0,
  proposals: [NAME],
};

describe("the proposals page", () => {
  it("says what each would do, and accepts those chosen after a preview", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/gold/proposals": LISTED,
      "POST /api/projects/nq/gold/proposals/preview": {
        proposals: 1,
        right: 0,
        wrong: 1,
        open: 7,
        moves: [MOVE],
      },
      "POST /api/projects/nq/gold/proposals/accept": { group: "g", changes: 1 },
    });
    openApp("/nq/gold/proposals");
    const user = userEvent.setup();
    expect(await screen.findByText(/1 rejected answer becomes correct/)).toBeVisible();
    expect(screen.getByText(/ and 6 more/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Ada B. Cole" })).toHaveAttribute("href", "/nq/answers/a2");
    expect(screen.getByRole("button", { name: "Accept 0 selected" })).toBeDisabled();
    await user.click(screen.getByRole("checkbox", { name: "Variants of Ada Cole" }));
    await user.click(screen.getByRole("button", { name: "Accept 1 selected" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Gamma: 0 → 2 of 3 correct, rank 3 → 2.")).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Accept proposals" }));
    expect(await screen.findByText(/Proposals accepted\./)).toBeVisible();
  });

  it("names variants by their source where no example has a letter left", async () => {
    const bare = { ...NAME, examples: [" "] };
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/gold/proposals": { ...LISTED, proposals: [bare] },
    });
    openApp("/nq/gold/proposals");
    expect(
      await screen.findByRole("checkbox", { name: "Variants of It was led by Ada Cole." }),
    ).toBeVisible();
  });

  it("offers nothing to accept or filter where nothing is proposed", async () => {
    const empty = { ...LISTED, count: 0, all: 0, safe: 0, wrong: 0, proposals: [] };
    startFakeServer({ ...BASE, "GET /api/projects/nq/gold/proposals": empty });
    openApp("/nq/gold/proposals");
    expect(await screen.findByText("No proposals yet")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Accept|Dismiss|Restore/ })).toBeNull();
    expect(screen.queryByLabelText("Kind")).toBeNull();
  });

  it("offers to restore as many as were dismissed", async () => {
    const dismissed = { ...LISTED, count: 0, all: 0, safe: 0, wrong: 0, dismissed: 2, proposals: [] };
    startFakeServer({ ...BASE, "GET /api/projects/nq/gold/proposals": dismissed });
    openApp("/nq/gold/proposals");
    expect(await screen.findByRole("button", { name: "Restore 2 dismissed proposals" })).toBeEnabled();
  });

  it("tells a score that stays from one that moves", () => {
    expect(moveWords({ ...MOVE, after: 0, rank_after: 3 })).toBe("Gamma: 0 of 3 correct, no change.");
    expect(moveWords({ ...MOVE, rank_before: null, rank_after: null })).toBe("Gamma: 0 → 2 of 3 correct.");
  });
});
