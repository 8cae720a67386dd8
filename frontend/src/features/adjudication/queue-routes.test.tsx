import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../../api/query-client";
import { type Call, bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeDossier, makeHistory, makeQueue } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

/** A queue of three in which decisions leave the server's list at once. */
function queueServer() {
  let waiting = ["a", "b", "c"];
  const decide =
    (id: string) =>
    ({ body }: Call) => {
      waiting = waiting.filter((other) => other !== id);
      const { next } = body as { next: string };
      return next === "" ? makeDossier(id, { state: "decided" }) : makeDossier(next);
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

/** A queue of three whose first decision is answered when the test says. */
function slowServer(second = makeDossier("b")) {
  let reply: (body: unknown) => void = () => undefined;
  const answered = new Promise((resolve) => {
    reply = resolve;
  });
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/queue": makeQueue(["a", "b", "c"]),
    "GET /api/projects/nq/queue/a": makeDossier("a"),
    "GET /api/projects/nq/queue/b": second,
    "POST /api/projects/nq/answers/a/decision": () => answered,
    "POST /api/projects/nq/queue/take-back": { answers: ["a"], begun: [] },
  });
  return { calls, reply };
}

/** A queue whose decisions, and what is asked of some of its answers, are answered when the test says. */
function heldServer(ids: readonly string[], held: readonly string[] = []) {
  const replies = new Map<string, (body: unknown) => void>();
  const hold = (name: string) => {
    const answered = new Promise((resolve) => replies.set(name, resolve));
    return () => answered;
  };
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/queue": makeQueue(ids),
    ...Object.fromEntries(
      ids.flatMap((id) => [
        [`GET /api/projects/nq/queue/${id}`, held.includes(id) ? hold(`${id} itself`) : makeDossier(id)],
        [`POST /api/projects/nq/answers/${id}/decision`, hold(id)],
      ]),
    ),
    "POST /api/projects/nq/queue/take-back": ({ body }: Call) => ({
      answers: [(body as { answer: string }).answer],
      begun: [],
    }),
  });
  return {
    calls,
    reply: (id: string, body: unknown) => replies.get(id)?.(body),
    shows: (id: string) => screen.findByRole("heading", { name: `answer ${id}` }),
    decided: () =>
      calls.filter(({ path }) => path.endsWith("/decision")).map(({ path }) => path.split("/").at(-2)),
    takenBack: () => calls.filter(({ path }) => path.endsWith("/take-back")).map(({ body }) => body),
  };
}

const REFUSED = new FakeError(409, "conflict", "Somebody decided this answer.");

/** Decides the first answer once the next one lies ready. */
async function decideFirst(calls: readonly Call[]) {
  await screen.findByRole("heading", { name: "answer a" });
  await waitFor(() => expect(calls.at(-1)?.path).toBe("/api/projects/nq/queue/b"));
  await userEvent.keyboard("1e{Enter}");
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
    expect(screen.getByRole("dialog")).toHaveTextContent(
      /4 votes on 2 answers will be kept and marked as given/,
    );
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
    expect(screen.getByRole("button", { name: "Reopen answer" })).toBeDisabled();
    await userEvent.keyboard("new facts");
    await userEvent.click(screen.getByRole("button", { name: "Reopen answer" }));
    expect(await screen.findByText("Answer reopened.")).toBeVisible();
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
      // The answer now in front was there already; the reply brings the one after it.
      next: "c",
    });
    const [first, second, third] = queueLines();
    expect(first).toMatch(/^question aanswer aCorrect/);
    expect(second).toMatch(/^>question b/);
    expect(third).toMatch(/^question c/);
    expect(await screen.findByText(/2 answers are waiting for a decision · 1 decided today/)).toBeVisible();
  });

  it("takes one request a decision, whose reply brings the answer after the next", async () => {
    const calls = queueServer();
    openApp("/nq/queue", createQueryClient());
    await screen.findByRole("heading", { name: "answer a" });
    await waitFor(() => expect(calls.at(-1)?.path).toBe("/api/projects/nq/queue/b"));
    const before = calls.length;
    await userEvent.keyboard("1e{Enter}");
    await screen.findByRole("heading", { name: "answer b" });
    await userEvent.keyboard("2e{Enter}");
    await screen.findByRole("heading", { name: "answer c" });
    expect(await screen.findByText(/1 answer is waiting for a decision · 2 decided today/)).toBeVisible();
    expect(calls.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/projects/nq/answers/a/decision",
      "POST /api/projects/nq/answers/b/decision",
    ]);
    // What was decided is read anew when somebody goes back to it.
    await userEvent.keyboard("k");
    await screen.findByRole("heading", { name: "answer b" });
    expect(calls.at(-1)?.path).toBe("/api/projects/nq/queue/b");
  });

  it("shows the next answer before the server has replied, and undoes no earlier decision", async () => {
    const { calls, reply } = slowServer();
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await screen.findByRole("heading", { name: "answer b" });
    expect(screen.getByText(/2 answers are waiting for a decision/)).toBeVisible();
    expect(queueLines()[0]).toMatch(/^question aanswer aCorrect/);
    await userEvent.keyboard("u");
    expect(calls.some(({ path }) => path.endsWith("/take-back"))).toBe(false);
    reply(makeDossier("c"));
    await screen.findByRole("heading", { name: "answer a" });
    expect(bodiesOf(calls, "POST").at(-1)).toEqual({ answer: "a" });
  });

  it("brings an answer back with what was chosen when its decision is refused", async () => {
    const { calls, reply } = slowServer();
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await screen.findByRole("heading", { name: "answer b" });
    await userEvent.keyboard("2");
    const before = calls.length;
    reply(new FakeError(409, "conflict", "Somebody decided this answer."));
    await screen.findByRole("heading", { name: "answer a" });
    expect(await screen.findByRole("alert")).toHaveTextContent("Somebody decided this answer.");
    // But its label: who was at another answer may have Enter under the finger.
    expect(screen.getByRole("button", { name: /^Correct/ })).toHaveAttribute("aria-pressed", "false");
    expect(screen.getByRole("button", { name: /^Missing knowledge/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await userEvent.keyboard("{Enter}");
    expect(bodiesOf(calls, "POST")).toHaveLength(1);
    expect(screen.getByText(/3 answers are waiting for a decision/)).toBeVisible();
    // What happened meanwhile is read.
    await waitFor(() =>
      expect(calls.slice(before).map(({ path }) => path)).toContain("/api/projects/nq/queue/a"),
    );
    await userEvent.keyboard("j");
    await screen.findByRole("heading", { name: "answer b" });
    expect(screen.getByRole("button", { name: /^Incorrect/ })).toHaveAttribute("aria-pressed", "true");
  });

  it("leaves somebody who writes at another answer there when a decision is refused", async () => {
    const { calls, reply, shows } = heldServer(["a", "b", "c"]);
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await shows("b");
    const explanation = screen.getByRole("textbox", { name: /^Explanation/ });
    await userEvent.type(explanation, "In 1");
    reply("a", REFUSED);
    await screen.findByText("The answer “answer a” was not decided. Somebody decided this answer.");
    expect(explanation).toHaveFocus();
    await userEvent.keyboard("2");
    expect(explanation).toHaveValue("In 12");
    expect(screen.getByText(/3 answers are waiting for a decision/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show answer" }));
    await shows("a");
    expect(screen.getByRole("alert")).toHaveTextContent("Somebody decided this answer.");
  });

  it("undoes nothing when what it was to undo is refused", async () => {
    const { calls, reply, shows, takenBack } = heldServer(["a", "b", "c"]);
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    reply("a", makeDossier("c"));
    await screen.findByText("Decided: Correct.");
    await userEvent.keyboard("2e{Enter}");
    await shows("c");
    await userEvent.keyboard("u");
    reply("b", REFUSED);
    await shows("b");
    expect(takenBack()).toEqual([]);
    // The decision before it can be undone once that is what was decided last.
    await userEvent.keyboard("u");
    await shows("a");
    expect(takenBack()).toEqual([{ answer: "a" }]);
  });

  it("sends two decisions one after the other, each once, and undoes the later one", async () => {
    const { calls, reply, shows, decided, takenBack } = heldServer(["a", "b", "c"]);
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await shows("b");
    await userEvent.keyboard("2e{Enter}");
    await userEvent.keyboard("k");
    await shows("a");
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("button", { name: /^Decide and continue/ })).toHaveAttribute("aria-busy", "true");
    expect(decided()).toEqual(["a"]);
    reply("a", makeDossier("c"));
    await waitFor(() => expect(decided()).toEqual(["a", "b"]));
    reply("b", makeDossier("c"));
    await shows("c");
    await userEvent.keyboard("u");
    await shows("b");
    expect(takenBack()).toEqual([{ answer: "b" }]);
    expect(decided()).toEqual(["a", "b"]);
  });

  it("keeps a decision shown as made when the reply to an earlier one arrives", async () => {
    const { calls, reply, shows } = heldServer(["a", "b", "c"], ["c"]);
    openApp("/nq/queue?answer=b", createQueryClient());
    await shows("b");
    await waitFor(() => expect(calls.at(-1)?.path).toBe("/api/projects/nq/queue/c"));
    // The next answer is not there: the reply is waited for.
    await userEvent.keyboard("1e{Enter}");
    await userEvent.keyboard("k");
    await shows("a");
    await userEvent.keyboard("2e{Enter}");
    await shows("b");
    reply("b", makeDossier("c"));
    await shows("c");
    expect(queueLines().slice(0, 2)).toEqual(["question aanswer aIncorrect", "question banswer bCorrect"]);
  });

  it("says a refusal on the page that somebody has gone to, and leaves its address alone", async () => {
    const { calls, reply } = heldServer(["a", "b", "c"]);
    const router = openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await router.navigate({ to: "/$slug/people", params: { slug: "nq" } });
    await screen.findByRole("heading", { name: "People" });
    reply("a", REFUSED);
    expect(
      await screen.findByText("The answer “answer a” was not decided. Somebody decided this answer."),
    ).toBeVisible();
    expect(router.state.location.href).toBe("/nq/people");
  });

  it("tells an answer's neighbors what was decided of it without asking", async () => {
    const { calls, reply } = slowServer(
      makeDossier("b", { siblings: [{ id: "a", answer: "answer a", label: null, state: "disputed" }] }),
    );
    openApp("/nq/queue", createQueryClient());
    await decideFirst(calls);
    await screen.findByRole("heading", { name: "answer b" });
    const sibling = screen.getByRole("button", { name: /^answer a/ });
    expect(sibling).toHaveTextContent("waiting for a decision");
    reply(makeDossier("c"));
    await waitFor(() => expect(sibling).toHaveTextContent("Correct"));
  });

  it("asks why before it decides", async () => {
    const calls = queueServer();
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("1{Enter}");
    expect(screen.getByText("Choose a reason, or write an explanation.")).toBeVisible();
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
    await userEvent.selectOptions(screen.getByLabelText("Annotators who disagree"), "R-1 and R-2 (3)");
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
    expect(screen.getByLabelText("Reason for waiting")).toHaveFocus();
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
        return { answers: ["a", "b"], begun: [] };
      },
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("{Shift>}{ArrowDown}{/Shift}");
    await screen.findByRole("heading", { name: "answer b" });
    await userEvent.keyboard("x");
    expect(await screen.findByText("2 selected")).toBeVisible();
    await userEvent.keyboard("b");
    await userEvent.selectOptions(await screen.findByLabelText("Label for all answers"), "Incorrect");
    expect(screen.getByText(/^The decision for 2 answers will be “Incorrect\.”/)).toBeVisible();
    await userEvent.selectOptions(
      within(screen.getByRole("dialog")).getByLabelText("Reason"),
      "Annotator error",
    );
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
        return { answers: ["a"], begun: [] };
      },
    });
    openApp("/nq/queue");
    await screen.findByRole("heading", { name: "answer a" });
    await userEvent.keyboard("s");
    await screen.findByRole("dialog", { name: "Send back to annotators" });
    await userEvent.keyboard("why{Enter}");
    await screen.findByRole("heading", { name: "answer b" });
    expect(calls.find((call) => call.path.endsWith("/send-back"))?.body).toEqual({
      reason: "why",
      seen_number: 0,
    });
    expect(queueLines()[0]).toBe("question aanswer aSent back to annotators");
    await userEvent.keyboard("u");
    await screen.findByRole("heading", { name: "answer a" });
    expect(calls.find((call) => call.path.endsWith("/take-back"))?.body).toEqual({ answer: "a" });
    expect(await screen.findByText("Answer recalled from annotators.")).toBeVisible();
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
    expect(screen.getByLabelText("Reason for waiting")).toHaveFocus();
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
    expect(screen.queryByRole("textbox", { name: "Reason" })).toBeNull();
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
    expect(await screen.findByText("No answers are waiting for a decision")).toBeVisible();
    expect(await screen.findByRole("link", { name: "View progress" })).toHaveAttribute(
      "href",
      "/nq/overview",
    );
  });
});
