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
});
