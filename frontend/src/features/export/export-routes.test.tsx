import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { speak } from "../../lib/i18n/catalog";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const FORMAT = {
  key: "report-html",
  name: "Report of the study (HTML)",
  summary: "All in one file.",
  file_name: "nq_report.html",
  command: "python manage.py export_data",
  row_count: 1490,
  unit: "answer",
  left_out: null as { equal_to_gold: number; equal_to_addition: number } | null,
  preview: ["<!doctype html>"],
};

function start(methods: { text: string; missing: string[] }, format = FORMAT) {
  startFakeServer({
    ...BASE,
    "GET /api/projects/nq/methods": methods,
    "GET /api/projects/nq/exports": [],
    "GET /api/projects/nq/export-formats": [format],
  });
  openApp("/nq/export");
}

describe("what a form leaves out", () => {
  const methods = { text: "x", missing: [] };
  const of = (equal_to_gold: number, equal_to_addition: number) => ({
    ...FORMAT,
    left_out: { equal_to_gold, equal_to_addition },
  });

  it("is counted by cause", async () => {
    start(methods, of(1201, 1));
    expect(
      await screen.findByText(
        "1,201 added answers are left out: exact match holds each equal to a gold answer of the files.",
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText("1 added answer is left out: exact match holds it equal to another added answer."),
    ).toBeInTheDocument();
  });

  it("is said in German, and to be German on this page", async () => {
    start(methods, of(2, 0));
    await screen.findByText(/^2 added answers are left out/);
    await act(() => speak("de"));
    const words = await screen.findByText(/^2 hinzugefügte Antworten fehlen/);
    expect(words.closest("[lang]")).toHaveAttribute("lang", "de");
  });

  it("is said where it is nothing, and not of forms that leave nothing out", async () => {
    start(methods, of(0, 0));
    expect(await screen.findByText("No added answer is left out.")).toBeInTheDocument();
  });
});

describe("the methods paragraph", () => {
  it("stands to be copied as it is", async () => {
    start({ text: "Two raters judged each answer.", missing: [] });
    expect(await screen.findByText("Two raters judged each answer.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Copy paragraph" })).toBeEnabled();
    expect(screen.queryByText("Still missing:")).toBeNull();
  });

  it("says what lacks while the study is not finished", async () => {
    start({
      text: "Preliminary: this study is not finished.",
      missing: ["4 of 5 answers are not decided yet."],
    });
    const lead = await screen.findByText("Still missing:");
    expect(
      within(lead.parentElement as HTMLElement).getByText("4 of 5 answers are not decided yet."),
    ).toBeInTheDocument();
  });

  it("stands above a report that counts answers", async () => {
    start({ text: "x", missing: [] });
    expect(await screen.findByText(/1,490 answers/)).toBeInTheDocument();
  });
});
