/** Judging, as an annotator does it. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { BlindSheet, Work } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeSheet, makeWork } from "../../test/judging-cast";
import { openApp } from "../../test/open-app";

/** Hands out the sheets in order and takes them in, as the server does. */
function workingServer(sheets: readonly BlindSheet[]) {
  let open = [...sheets];
  const work = (): Work =>
    makeWork(open.slice(0, 3), { judged_questions: sheets.length - open.length, can_undo: true });
  const take = (id: string) => () => {
    open = open.filter((sheet) => sheet.id !== id);
    return { ...work(), outcome: { counted: 2, surplus: 0, message: "" } };
  };
  const submits = sheets.map((sheet) => [`POST /api/projects/nq/sheets/${sheet.id}/submit`, take(sheet.id)]);
  const skips = sheets.map((sheet) => [`POST /api/projects/nq/sheets/${sheet.id}/skip`, take(sheet.id)]);
  return startFakeServer({
    ...BASE,
    "POST /api/projects/nq/sheets/next": work,
    ...Object.fromEntries([...submits, ...skips]),
  });
}

function question() {
  return screen.findByRole("heading", { level: 1 });
}

describe("judging", () => {
  it("is done by keyboard: a key a label, Enter for the next sheet", async () => {
    const calls = workingServer([makeSheet("a"), makeSheet("b")]);
    openApp("/nq/judge");
    expect(await question()).toHaveTextContent("question a");
    await userEvent.keyboard("12{Enter}");
    expect(await question()).toHaveTextContent("question b");
    await waitFor(() => expect(calls.filter((call) => call.path.endsWith("/a/submit"))).toHaveLength(1));
    expect(calls.find((call) => call.path.endsWith("/a/submit"))?.body).toMatchObject({
      answers: [
        { id: "a-0", label: "correct" },
        { id: "a-1", label: "incorrect" },
      ],
      ahead: 3,
    });
    await userEvent.keyboard("11{Enter}");
    expect(await screen.findByText("Nothing left to judge")).toBeVisible();
  });

  it("says where one is after each confirm, for those who listen", async () => {
    workingServer([makeSheet("a", 1), makeSheet("b", 3)]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("1{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("question b"));
    expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
    await waitFor(() => {
      const said = screen.getAllByRole("status").map((region) => region.textContent);
      expect(said.join()).toMatch(/Question 2 of up to \d+, 3 answers/);
    });
  });

  it("confirms nothing before every answer has its label", async () => {
    const calls = workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("1{Enter}");
    expect(await question()).toHaveTextContent("question a");
    expect(screen.getByRole("button", { name: /1 left, then confirm/ })).toBeVisible();
    expect(calls.some((call) => call.path.endsWith("/submit"))).toBe(false);
  });

  it("works by pointer as well, an answer at a time", async () => {
    workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    const second = screen.getByRole("radiogroup", { name: "answer a 1" });
    await userEvent.click(within(second).getByRole("radio", { name: "Incorrect" }));
    expect(within(second).getByRole("radio", { name: "Incorrect" })).toBeChecked();
    expect(screen.getByRole("radiogroup", { name: "answer a 0" })).toHaveAttribute("aria-current", "true");
  });

  it("does not take what is typed into a comment for keys", async () => {
    workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("c");
    await userEvent.type(await screen.findByLabelText("Comment"), "1 is skipped{Enter}");
    expect(screen.getByLabelText("Comment")).toHaveValue("1 is skipped");
    expect(screen.queryAllByRole("radio", { checked: true, name: /orrect/ })).toEqual([]);
  });

  it("keeps labels over a reload", async () => {
    workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("2");
    document.body.replaceChildren();
    openApp("/nq/judge");
    await question();
    expect(screen.getAllByRole("radio", { name: "Incorrect", checked: true })).toHaveLength(1);
  });

  it("skips a sheet with a reason", async () => {
    const calls = workingServer([makeSheet("a"), makeSheet("b")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("s");
    await userEvent.click(screen.getByRole("radio", { name: /unclear/ }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Skip" }));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("question b"));
    // It leaves once the next sheet is painted.
    await waitFor(() => expect(calls.some((call) => call.path.endsWith("/a/skip"))).toBe(true));
    const skip = calls.find((call) => call.path.endsWith("/a/skip"));
    expect(skip?.body).toMatchObject({ reason: "The question or an answer is unclear" });
  });

  it("asks about the question first and spares the answers where that says so", async () => {
    const checks = [{ key: "changes", text: "Does the answer change over time?", skips_answers: true }];
    workingServer([makeSheet("a", 2, { checks })]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("1");
    expect(screen.queryByRole("radiogroup", { name: "answer a 0" })).toBeNull();
    expect(screen.getByRole("button", { name: /Confirm/ })).not.toHaveAttribute("aria-disabled", "true");
  });

  it("says what the server says when work cannot be had", async () => {
    const refusal = new FakeError(403, "forbidden", "Your role in this project does not allow this.");
    startFakeServer({ ...BASE, "POST /api/projects/nq/sheets/next": refusal });
    openApp("/nq/judge");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Your role in this project does not allow this.",
    );
  });

  it("lists every key it listens to", async () => {
    workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    for (const name of [
      "Correct",
      "Incorrect",
      "Confirm and continue",
      "Undo last submission",
      "Skip with a reason",
    ]) {
      expect(sheet.getByText(name)).toBeVisible();
    }
  });

  it("gives a label another key, prints it, and refuses a key that is taken", async () => {
    workingServer([makeSheet("a")]);
    openApp("/nq/judge");
    await question();
    await userEvent.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    await userEvent.click(sheet.getByRole("button", { name: "Change the key for “Incorrect”" }));
    await userEvent.keyboard("s");
    expect(sheet.getByRole("status")).toHaveTextContent("s is already used for “Skip with a reason.”");
    await userEvent.keyboard("x");
    expect(sheet.getByRole("status")).toHaveTextContent("The key for “Incorrect” is now x.");
    await userEvent.click(sheet.getByRole("button", { name: "Close" }));
    const row = within(screen.getAllByRole("radiogroup")[0] as HTMLElement);
    expect(row.getByText("x")).toBeVisible();
    await userEvent.keyboard("2");
    expect(row.getByLabelText(/Incorrect/)).not.toBeChecked();
    await userEvent.keyboard("x");
    expect(row.getByLabelText(/Incorrect/)).toBeChecked();
    await userEvent.keyboard("?");
    await userEvent.click(screen.getByRole("button", { name: "Reset all keys" }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
    expect(row.getByText("2")).toBeVisible();
  });
});
