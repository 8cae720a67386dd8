import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type Call, bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeDossier, makeHistory, makeQueue } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

/** A queue of three in which decisions leave the server's list at once. */
function queueServer() {
  let waiting = ["a", "b", "c"];
  const decide = (id: string) => () => {
    waiting = waiting.filter((other) => other !== id);
    return makeDossier(id, { state: "decided" });
  };
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq/queue": () => makeQueue(waiting, { decided_today: 3 - waiting.length }),
    ...Object.fromEntries(["a", "b", "c"].map((id) => [`GET /api/projects/nq/queue/${id}`, makeDossier(id)])),
    ...Object.fromEntries(
      ["a", "b", "c"].map((id) => [`POST /api/projects/nq/answers/${id}/decision`, decide(id)]),
    ),
  });
}

function queueLines() {
  const list = screen.getByRole("list", { name: "Answers waiting for a decision" });
  return within(list)
    .getAllByRole("button")
    .map((line) => `${line.getAttribute("aria-current") === "true" ? ">" : ""}${line.textContent}`);
}

describe("an answer's page", () => {
  it("names the votes that a correction of the question affects, and marks those given before", async () => {
    const history = makeHistory("a", "open");
    const [mine, other] = ["a", "b"].map((id) => ({
      id,
      text: `answer ${id}`,
      state: "open" as const,
      label: null,
      votes: 2,
      votes_before: id === "b" ? 1 : 0,
    }));
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers/a": {
        ...history,
        question: { ...history.question, answers: [mine, other] },
      },
      "GET /api/projects/nq/known-answers": [],
    });
    openApp("/nq/answers/a");
    expect(await screen.findByRole("link", { name: "answer b" })).toBeVisible();
    expect(screen.getByText("2 votes, 1 before the correction")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Correct the question" }));
    expect(screen.getByRole("dialog")).toHaveTextContent(/4 votes on 2 answers stand as they are/);
  });

  it("withdraws the decision for a reason, and says so", async () => {
    let state: "decided" | "disputed" = "decided";
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers/a": () => makeHistory("a", state),
      "GET /api/projects/nq/known-answers": [],
      "POST /api/projects/nq/answers/a/reopen": () => {
        state = "disputed";
        return makeDossier("a");
      },
    });
    openApp("/nq/answers/a");
    await userEvent.click(await screen.findByRole("button", { name: "Reopen" }));
    expect(screen.getByRole("button", { name: "Withdraw" })).toBeDisabled();
    await userEvent.keyboard("new facts");
    await userEvent.click(screen.getByRole("button", { name: "Withdraw" }));
    expect(await screen.findByText("Decision withdrawn.")).toBeVisible();
    expect(calls.find((call) => call.path.endsWith("/reopen"))?.body).toEqual({ reason: "new facts" });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Reopen" })).toBeNull());
  });
});

describe("the queue", () => {
  it("is worked by keyboard: a label, why, Enter; and the list does not move", async () => {
    const calls = queueServer();
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("1e{Enter}");
    await screen.findByRole("heading", { name: "answer b" });
    expect(calls.find((call) => call.path.endsWith("/a/decision"))?.body).toEqual({
      label: "correct",
      category: "evidence",
      reason: "",
      is_reason_shown: false,
      seen_number: 0,
    });
    const [first, second, third] = queueLines();
    expect(first).toMatch(/^question aanswer aCorrect/);
    expect(second).toMatch(/^>question b/);
    expect(third).toMatch(/^question c/);
    expect(await screen.findByText(/2 answers wait for a decision · 1 decided today/)).toBeVisible();
  });

  it("asks why before it decides", async () => {
    const calls = queueServer();
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("1{Enter}");
    expect(screen.getByText("Give a reason: choose one from the list, or write your own.")).toBeVisible();
    expect(bodiesOf(calls, "POST")).toEqual([]);
  });

  it("moves with j and k and keeps the answer in the address", async () => {
    queueServer();
    const router = openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("jj");
    await screen.findByRole("heading", { name: "answer c" });
    expect(router.state.location.search).toEqual({ answer: "c" });
    await userEvent.keyboard("k");
    await screen.findByRole("heading", { name: "answer b" });
  });

  it("is narrowed by what stands in the address, and says how many each choice shows", async () => {
    const asked: string[] = [];
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": (call: Call) => {
        asked.push(call.query);
        return makeQueue(["a"], {
          choices: {
            reason: [{ value: "conflict", name: "", count: 1234 }],
            flag: [{ value: "unclear", name: "", count: 2 }],
            pair: [{ value: "R-1~R-2", name: "", count: 3 }],
            judge: [{ value: "run1", name: "Exact match", count: 4 }],
          },
        });
      },
      "GET /api/projects/nq/queue/a": makeDossier("a", { systems: ["DPR"] }),
    });
    const router = openApp("/nq/queue?flag=unclear&answer=a");
    await screen.findByRole("heading", { name: "answer a" });
    expect(asked.at(-1)).toBe("?flag=unclear");
    expect(screen.getByRole("option", { name: "Decided, but a judge disagrees (1,234)" })).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Raters who disagree"), "R-1 and R-2 (3)");
    await waitFor(() => expect(asked.at(-1)).toBe("?flag=unclear&pair=R-1~R-2"));
    await userEvent.selectOptions(screen.getByLabelText("Judge that disagrees"), "Exact match (4)");
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard("y");
    await waitFor(() =>
      expect(router.state.location.search).toEqual({
        flag: "unclear",
        pair: "R-1~R-2",
        judge: "run1",
        systems: "shown",
      }),
    );
    await userEvent.keyboard("f");
    expect(screen.getByLabelText("Reason it is here")).toHaveFocus();
  });

  it("decides what is marked together, by keys, after saying what that does, and takes it back", async () => {
    let waiting = ["a", "b", "c"];
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": () => makeQueue(waiting),
      ...Object.fromEntries(waiting.map((id) => [`GET /api/projects/nq/queue/${id}`, makeDossier(id)])),
      "POST /api/projects/nq/queue/decide": () => {
        waiting = ["c"];
        return { group: "g1", decided: 2 };
      },
      "POST /api/projects/nq/queue/take-back": () => {
        waiting = ["a", "b", "c"];
        return { answers: ["a", "b"] };
      },
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("{Shift>}{ArrowDown}{/Shift}");
    await screen.findByRole("heading", { name: "answer b" });
    await userEvent.keyboard("x");
    expect(await screen.findByText("2 marked")).toBeVisible();
    await userEvent.keyboard("b");
    await userEvent.selectOptions(await screen.findByLabelText("Decide all as"), "Incorrect");
    expect(screen.getByText(/^2 answers will be decided as Incorrect, all of them or none/)).toBeVisible();
    await userEvent.selectOptions(within(screen.getByRole("dialog")).getByLabelText("Why"), "Rater’s slip");
    await userEvent.click(screen.getByRole("button", { name: "Decide 2 answers" }));
    await screen.findByRole("heading", { name: "answer c" });
    expect(calls.find((call) => call.path.endsWith("/queue/decide"))?.body).toEqual({
      answers: [
        { id: "a", seen_number: 0 },
        { id: "b", seen_number: 0 },
      ],
      label: "incorrect",
      category: "rater_error",
      reason: "",
      is_reason_shown: false,
    });
    await userEvent.keyboard("u");
    await screen.findByRole("heading", { name: "answer a" });
    expect(calls.find((call) => call.path.endsWith("/take-back"))?.body).toEqual({ group: "g1" });
    expect(queueLines()).toHaveLength(3);
  });

  it("sends an answer back with a reason, by keys, goes on, and calls it back", async () => {
    let waiting = ["a", "b"];
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": () => makeQueue(waiting),
      ...Object.fromEntries(waiting.map((id) => [`GET /api/projects/nq/queue/${id}`, makeDossier(id)])),
      "POST /api/projects/nq/answers/a/send-back": () => {
        waiting = ["b"];
        return makeDossier("a", { state: "open" });
      },
      "POST /api/projects/nq/queue/take-back": () => {
        waiting = ["a", "b"];
        return { answers: ["a"] };
      },
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("s");
    await screen.findByRole("dialog", { name: "Send back to raters" });
    await userEvent.keyboard("why{Enter}");
    await screen.findByRole("heading", { name: "answer b" });
    expect(calls.find((call) => call.path.endsWith("/send-back"))?.body).toEqual({
      reason: "why",
      seen_number: 0,
    });
    expect(queueLines()[0]).toBe("question aanswer aSent back to raters");
    await userEvent.keyboard("u");
    await screen.findByRole("heading", { name: "answer a" });
    expect(calls.find((call) => call.path.endsWith("/take-back"))?.body).toEqual({ answer: "a" });
    expect(await screen.findByText("Recalled from raters.")).toBeVisible();
  });

  it("folds its filters, says how many are set, and unfolds them for the key", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": makeQueue(["a"]),
      "GET /api/projects/nq/queue/a": makeDossier("a"),
    });
    openApp("/nq/queue?flag=unclear&pair=p~q");
    const fold = await screen.findByRole("button", { name: "Filters (2)" });
    expect(fold).toHaveAttribute("aria-expanded", "false");
    await userEvent.keyboard("f");
    expect(fold).toHaveAttribute("aria-expanded", "true");
    expect(screen.getByLabelText("Reason it is here")).toHaveFocus();
  });

  it("says in words why an answer cannot go back", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": makeQueue(["a"]),
      "GET /api/projects/nq/queue/a": makeDossier("a", { send_back_refusal: "Nobody is left." }),
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("s");
    expect(within(await screen.findByRole("dialog")).getByText("Nobody is left.")).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Why" })).toBeNull();
  });

  it("says when somebody else was faster", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/queue": makeQueue(["a"]),
      "GET /api/projects/nq/queue/a": makeDossier("a"),
      "POST /api/projects/nq/answers/a/decision": new FakeError(
        409,
        "conflict",
        "Somebody decided this answer.",
      ),
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("2o{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Somebody decided this answer.");
  });

  it("says what will be here when nothing waits", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/queue": makeQueue([]) });
    openApp("/nq/queue");
    expect(await screen.findByText("Nothing waits for a decision")).toBeVisible();
  });
});
