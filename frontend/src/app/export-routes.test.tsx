import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { startFakeServer } from "../test/fake-server";
import { BASE } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const FORMAT = {
  key: "report-html",
  name: "Report of the study (HTML)",
  summary: "All in one file.",
  file_name: "nq_report.html",
  command: "python manage.py export_data",
  row_count: 1490,
  unit: "answer",
  preview: ["<!doctype html>"],
};

function start(methods: { text: string; missing: string[] }) {
  startFakeServer({
    ...BASE,
    "GET /api/projects/nq/methods": methods,
    "GET /api/projects/nq/exports": [],
    "GET /api/projects/nq/export-formats": [FORMAT],
  });
  openApp("/nq/export");
}

describe("the methods paragraph", () => {
  it("stands to be copied as it is", async () => {
    start({ text: "Two raters judged each answer.", missing: [] });
    expect(await screen.findByText("Two raters judged each answer.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Copy paragraph" })).toBeEnabled();
    expect(screen.queryByText("Before it is whole:")).toBeNull();
  });

  it("says what lacks while the study is not finished", async () => {
    start({
      text: "Preliminary: this study is not finished.",
      missing: ["4 of 5 answers are not decided yet."],
    });
    const lead = await screen.findByText("Before it is whole:");
    expect(
      within(lead.parentElement as HTMLElement).getByText("4 of 5 answers are not decided yet."),
    ).toBeInTheDocument();
  });

  it("stands above a report that counts answers", async () => {
    start({ text: "x", missing: [] });
    expect(await screen.findByText(/1,490 answers/)).toBeInTheDocument();
  });
});
