import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { startFakeServer } from "../test/fake-server";
import { BASE, makeBoard } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const CHOICES = {
  datasets: ["NQ", "TQ"],
  tags: ["who"],
  has_ambiguous: false,
  knows_references: false,
  has_sizes: false,
  has_rest: false,
};

describe("the filter above a board", () => {
  it("counts what a page lets one choose besides", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/leaderboard": makeBoard(true),
      "GET /api/projects/nq/filters": CHOICES,
    });
    openApp("/nq/leaderboard?dataset=NQ&gold=original");
    expect(await screen.findByRole("button", { name: "Filter (2)" })).toBeVisible();
  });

  it("is one button on a phone, which says how many choices are made and unfolds them", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/leaderboard": makeBoard(true),
      "GET /api/projects/nq/filters": CHOICES,
    });
    openApp("/nq/leaderboard?dataset=NQ&tag=who");
    const fold = await screen.findByRole("button", { name: "Filter (2)" });
    const group = screen.getByRole("group", { name: "Questions and systems included" });
    expect(fold).toHaveAttribute("aria-expanded", "false");
    expect(group).toHaveAttribute("data-open", "false");
    await userEvent.click(fold);
    expect(fold).toHaveAttribute("aria-expanded", "true");
    expect(group).toHaveAttribute("data-open", "true");
    await userEvent.selectOptions(within(group).getByLabelText("Tag"), "");
    expect(await screen.findByRole("button", { name: "Filter (1)" })).toBeVisible();
  });
});
