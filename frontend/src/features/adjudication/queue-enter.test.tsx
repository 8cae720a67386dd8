import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE, makeDossier, makeQueue } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const DECISION: Decision = {
  number: 1,
  is_current: true,
  is_reopening: false,
  label: "correct",
  source: "adjudicated",
  rule: "",
  reason: "",
  category: "other",
  is_reason_shown: false,
  by: "Lena",
  at: "2026-01-01T10:00:00Z",
};

/** A queue in which these wait, and "old", which was decided long ago. */
function openQueue(address: string, ...waiting: readonly string[]) {
  const open = new Set(waiting);
  const dossiers = new Map([
    ...waiting.map((id) => [id, makeDossier(id, { send_back_refusal: "Nobody is left." })] as const),
    ["old", makeDossier("old", { state: "decided", decision: DECISION, history: [DECISION] })] as const,
  ]);
  const decide = (id: string) => () => {
    const { history } = dossiers.get(id) ?? makeDossier(id);
    const decision = { ...DECISION, number: history.length + 1 };
    const after = makeDossier(id, { state: "decided", decision, history: [...history, decision] });
    open.delete(id);
    dossiers.set(id, after);
    return after;
  };
  const takeBack = (id: string) => () => {
    dossiers.set(id, makeDossier(id));
    open.add(id);
    return { answers: [id] };
  };
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/queue": () => makeQueue([...open]),
    ...Object.fromEntries(
      [...dossiers.keys()].flatMap((id) => [
        [`GET /api/projects/nq/queue/${id}`, () => dossiers.get(id)],
        [`POST /api/projects/nq/answers/${id}/decision`, decide(id)],
      ]),
    ),
    "POST /api/projects/nq/queue/take-back": takeBack(waiting[0] ?? "old"),
  });
  openApp(address);
  return () =>
    calls.filter(({ path }) => path.endsWith("/decision")).map(({ path }) => path.split("/").at(-2));
}

async function showsAnswer(id: string) {
  await screen.findByRole("heading", { name: `answer ${id}` });
}

const isPressed = (name: RegExp) =>
  screen.getByRole("button", { name }).getAttribute("aria-pressed") === "true";

describe("deciding an answer that does not wait", () => {
  it("goes on to the first that waits, with a clean form", async () => {
    const decided = openQueue("/nq/queue?answer=old", "a", "b");
    await showsAnswer("old");
    expect(screen.getByText("Decided: Correct.")).toBeVisible();
    await userEvent.keyboard("1e{Enter}");
    await showsAnswer("a");
    await userEvent.keyboard("{Enter}");
    expect(isPressed(/^Correct/)).toBe(false);
    expect(decided()).toEqual(["old"]);
  });

  it("stays where nothing waits, says that it is decided, and decides no second time", async () => {
    const decided = openQueue("/nq/queue?answer=old");
    await showsAnswer("old");
    await userEvent.keyboard("1e{Enter}");
    expect(
      await screen.findByText("Decided: Correct. No other answers here are waiting for a decision."),
    ).toBeVisible();
    expect(isPressed(/^Correct/)).toBe(false);
    await userEvent.keyboard("{Enter}{Enter}");
    expect(decided()).toEqual(["old"]);
  });
});

describe("deciding the last that waits", () => {
  it("is done once, and taken back beside the answer", async () => {
    const decided = openQueue("/nq/queue", "a");
    await showsAnswer("a");
    await userEvent.keyboard("1e{Enter}");
    const words = "Decided: Correct. No other answers here are waiting for a decision.";
    await screen.findByText(words);
    await userEvent.keyboard("{Enter}");
    expect(decided()).toEqual(["a"]);
    // One way back is enough: no note offers another.
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.queryByText(words)).toBeNull());
  });
});

describe("Enter in the queue", () => {
  it("decides after a label was clicked", async () => {
    const decided = openQueue("/nq/queue", "a", "b");
    await showsAnswer("a");
    await userEvent.click(screen.getByRole("button", { name: /^Missing knowledge or evidence/ }));
    await userEvent.click(screen.getByRole("button", { name: /^Correct/ }));
    await userEvent.keyboard("{Enter}");
    await showsAnswer("b");
    expect(decided()).toEqual(["a"]);
  });

  it("decides after a dialog that was opened by mouse is closed", async () => {
    const decided = openQueue("/nq/queue", "a", "b");
    await showsAnswer("a");
    await userEvent.keyboard("1e");
    await userEvent.click(screen.getByRole("button", { name: /^Send back to annotators/ }));
    await userEvent.click(screen.getByRole("button", { name: "OK" }));
    await userEvent.keyboard("{Enter}");
    await showsAnswer("b");
    expect(decided()).toEqual(["a"]);
  });

  it("decides after a dialog that was opened by keyboard is closed and a label is chosen by key", async () => {
    const decided = openQueue("/nq/queue", "a", "b");
    await showsAnswer("a");
    const button = screen.getByRole("button", { name: /^Send back to annotators/ });
    button.focus();
    await userEvent.keyboard("{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "OK" }));
    expect(button).toHaveFocus();
    await userEvent.keyboard("1e{Enter}");
    await showsAnswer("b");
    expect(decided()).toEqual(["a"]);
  });

  it("presses the button that was reached by Tab", async () => {
    const decided = openQueue("/nq/queue", "a", "b");
    await showsAnswer("a");
    await userEvent.keyboard("1e");
    const incorrect = screen.getByRole("button", { name: /^Incorrect/ });
    while (document.activeElement !== incorrect) await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    expect(isPressed(/^Incorrect/)).toBe(true);
    expect(incorrect).toHaveFocus();
    expect(decided()).toEqual([]);
  });
});
