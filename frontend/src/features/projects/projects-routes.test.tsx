import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ProjectListItem } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function makeLine(slug: string, changed: Partial<ProjectListItem> = {}): ProjectListItem {
  return {
    slug,
    name: slug,
    description: "",
    role: "annotator",
    state: "open",
    question_count: 44,
    answer_count: null,
    decided_count: null,
    left_questions: 0,
    waiting_decisions: null,
    ...changed,
  };
}

async function openList(projects: readonly ProjectListItem[]) {
  startFakeServer({ ...BASE, "GET /api/projects": projects });
  openApp("/");
  await screen.findByRole("heading", { level: 2, name: projects[0]?.name ?? "" });
  return screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
}

describe("the projects of an annotator", () => {
  it("begin with those in which work waits, and end with what is archived", async () => {
    const names = await openList([
      makeLine("archived", { state: "archived", left_questions: 3 }),
      makeLine("done"),
      makeLine("open", { left_questions: 8 }),
      makeLine("led", { role: "lead", left_questions: null, answer_count: 9, decided_count: 1 }),
    ]);
    expect(names).toEqual(["open", "done", "led", "archived"]);
  });

  it("say how much waits, and lead to it by one main button", async () => {
    await openList([
      makeLine("first", { left_questions: 8 }),
      makeLine("second", {
        role: "adjudicator",
        left_questions: null,
        waiting_decisions: 1,
        answer_count: 9,
      }),
    ]);
    expect(screen.getByText("8 questions to judge")).toBeVisible();
    expect(screen.getByText("1 answer to decide")).toBeVisible();
    const judge = screen.getByRole("link", { name: /Judge answers.*first/ });
    expect(judge).toHaveAttribute("href", "/first/judge");
    expect(judge.className).toContain("primary");
    const decide = screen.getByRole("link", { name: /Decide answers.*second/ });
    expect(decide).toHaveAttribute("href", "/second/queue");
    expect(decide.className).not.toContain("primary");
    expect(screen.getByRole("link", { name: "New project" }).className).not.toContain("primary");
  });

  it("say that nothing waits, without a button to it", async () => {
    await openList([makeLine("done"), makeLine("archived", { state: "archived", left_questions: 3 })]);
    expect(screen.getByText("Nothing to judge now")).toBeVisible();
    expect(screen.queryByRole("link", { name: /Judge answers/ })).toBeNull();
  });
});

describe("the projects of a lead", () => {
  it("have a new project as their main button", async () => {
    await openList([
      makeLine("led", { role: "lead", left_questions: null, answer_count: 9, decided_count: 1 }),
    ]);
    expect(screen.getByRole("link", { name: "New project" }).className).toContain("primary");
    expect(screen.getByText("1 of 9 answers decided")).toBeVisible();
  });
});
