import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const CHECK = { key: "ambiguous", text: "Several answers?", skips_answers: false };
const PROTOCOL = {
  number: 2,
  content_hash: "aaaa",
  frozen_at: null,
  spec: { question_checks: [CHECK], checks_first: true },
};

function answers(...lines: [string, string][]) {
  const found = lines.map(([question, answer], id) => ({
    ...{ id: `x${id}`, question, answer, state: "open", label: null, source: null },
    ...{ systems: ["secret-system"], votes: [] },
  }));
  return { count: found.length, before: 0, previous: null, next: null, answers: found };
}

function server(page: unknown) {
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq/protocol": PROTOCOL,
    "GET /api/projects/nq/answers": page,
  });
}

beforeEach(() => {
  localStorage.clear();
});

describe("trying the judging page", () => {
  it("keeps its title and the way back where its requests fail", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/protocol": new FakeError(400, "invalid", "Broken.") });
    openApp("/nq/protocol/try");
    expect(await screen.findByRole("alert")).toHaveTextContent("Broken.");
    expect(screen.getByRole("heading", { level: 1, name: "Preview protocol" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to protocol" })).toBeVisible();
  });

  it("judges real questions by keyboard to the end and stores nothing anywhere", async () => {
    const calls = server(answers(["capital of france", "Paris"], ["capital of france", "Lyon"]));
    openApp("/nq/protocol/try");
    expect(await screen.findByRole("heading", { name: "capital of france" })).toBeVisible();
    expect(screen.getByText("Preview")).toBeVisible();
    expect(screen.queryByText("secret-system")).toBeNull();
    // The check comes first, as the protocol has it.
    expect(screen.queryByRole("radiogroup", { name: "Paris" })).toBeNull();
    await userEvent.keyboard("212{Enter}");
    expect(await screen.findByRole("heading", { name: "End of the preview" })).toBeVisible();
    await userEvent.keyboard("u");
    const lyon = await screen.findByRole("radiogroup", { name: "Lyon" });
    expect(within(lyon).getByRole("radio", { name: "Incorrect" })).toBeChecked();
    await userEvent.keyboard("{Enter}");
    await userEvent.click(await screen.findByRole("button", { name: "Start over" }));
    expect(await screen.findByRole("heading", { name: "capital of france" })).toBeVisible();
    expect(screen.queryAllByRole("radio", { checked: true })).toEqual([]);
    expect(calls.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(Object.keys(localStorage).filter((key) => /draft|outbox/.test(key))).toEqual([]);
  });

  it("has questions of its own where none are imported, and tells annotators' flags from previews", async () => {
    const calls = server(answers());
    openApp("/nq/protocol/try");
    expect(await screen.findByText(/sample questions until you import your own/)).toBeVisible();
    expect(screen.getByText("Question 1 of up to 3")).toBeVisible();
    await userEvent.keyboard("f");
    expect(await screen.findByText(/The preview does not save flags/)).toBeVisible();
    expect(calls.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
