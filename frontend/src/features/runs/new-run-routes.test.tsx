import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import userEvent from "@testing-library/user-event";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { RUN } from "../../test/judge-cast";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const JUDGE = {
  key: "containment",
  name: "Containment",
  summary: "The answer contains a gold answer.",
  source: "",
  limit: "",
  needs: "",
  extra: null,
  family: "lexical",
  package: "",
  installation: "",
  available: true,
  is_lexical: true,
  options: [],
};

const SCOPES = { is_sampled: false, answers: 9, judged: 9, datasets: [], systems: [] };
const ESTIMATE = { answers: 9, calls: 0, input_tokens: 0, output_tokens: 0, seconds: null };

it("opens at the first judge that has no run, and marks those that have", async () => {
  startFakeServer({
    ...BASE,
    "GET /api/judges": [
      { ...JUDGE, key: "exact_match", name: "Exact match" },
      { ...JUDGE, key: "bem", name: "BEM", family: "neural", extra: "neural", available: false },
      JUDGE,
    ],
    "GET /api/projects/nq/runs": [{ id: "r1", judge: "exact_match" }],
    "GET /api/projects/nq/runs/scopes": SCOPES,
    "POST /api/projects/nq/runs/estimate": ESTIMATE,
  });
  openApp("/nq/runs/new");
  expect(await screen.findByRole("heading", { level: 2, name: "Containment" })).toBeVisible();
  expect(screen.getByRole("button", { name: /^Exact match/ })).toHaveTextContent("Started before");
  expect(screen.getByRole("button", { name: /^Containment/ })).not.toHaveTextContent("Started before");
  // The same on a phone, where a list would fill the window.
  const choice = screen.getByRole("combobox", { name: "Judge" });
  expect(
    within(choice)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Exact match (started before)", "Containment", "BEM (not installed)"]);
  const groups = [["Exact and lexical match", 2] as const, ["Neural metrics", 1] as const];
  for (const [name, count] of groups) {
    expect(within(within(choice).getByRole("group", { name })).getAllByRole("option")).toHaveLength(count);
    const family = screen.getByRole("region", { name });
    expect(within(family).getByRole("heading", { level: 2, name })).toBeVisible();
    expect(within(family).getAllByRole("button")).toHaveLength(count);
  }
  expect(screen.queryByRole("heading", { name: "Fuzzy match" })).toBeNull();
  await userEvent.selectOptions(choice, "Exact match (started before)");
  expect(await screen.findByRole("heading", { level: 2, name: "Exact match" })).toBeVisible();
});

function openWith(answers: number, judge = {}, replies = {}) {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/judges": [{ ...JUDGE, ...judge }],
    "GET /api/projects/nq/runs": [],
    "GET /api/projects/nq/runs/scopes": SCOPES,
    "POST /api/projects/nq/runs/estimate": { ...ESTIMATE, answers },
    ...replies,
  });
  openApp("/nq/runs/new?judge=containment");
  return calls;
}

it("starts a judge that has answers to judge", async () => {
  openWith(9);
  expect(await screen.findByText("9 answers to judge.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Start" })).toBeEnabled();
});

it("starts none that has judged them all, and says what to change", async () => {
  openWith(0);
  const why = "There are no answers to judge with these options. Change an option, or import answers.";
  expect(await screen.findByText(why)).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Start" })).toBeDisabled());
});

it("starts none while requests fail, and tries again", async () => {
  let isBroken = true;
  const reply = (found: unknown) => () => (isBroken ? new FakeError(500, "bug", "Broken.") : found);
  openWith(9, {}, { "POST /api/projects/nq/runs/estimate": reply(ESTIMATE) });
  expect(await screen.findByRole("alert")).toHaveTextContent("Something went wrong on the server");
  expect(screen.getByRole("button", { name: "Start" })).toBeDisabled();
  isBroken = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("9 answers to judge.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Start" })).toBeEnabled();
});

it("leaves a refused option to its field, which says so at the start", async () => {
  const refusal = new FakeError(400, "invalid", "Choose a threshold between 0 and 1.");
  openWith(9, {}, { "POST /api/projects/nq/runs/estimate": refusal });
  expect(await screen.findByRole("alert")).toHaveTextContent("Choose a threshold between 0 and 1.");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(screen.getByRole("button", { name: "Start" })).toBeEnabled();
});

it("says which package a judge comes from", async () => {
  openWith(9, { package: "someones-judge 2.1" });
  expect(await screen.findByText("From the package someones-judge 2.1")).toBeVisible();
});

it("says how a judge is installed that is not", async () => {
  openWith(9, { available: false, installation: "pip install 'assay[neural]' torch" });
  expect(await screen.findByText("pip install 'assay[neural]' torch")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Start" })).toBeNull();
});

const FOLLOWS = "Judge new answers as they arrive";

it("starts a judge that judges new answers as they arrive", async () => {
  const calls = openWith(
    9,
    { is_lexical: false, extra: "neural" },
    { "POST /api/projects/nq/runs": { ...RUN, id: "r2" }, "GET /api/projects/nq/runs/r2": RUN },
  );
  await screen.findByText("9 answers to judge.");
  await userEvent.click(screen.getByRole("checkbox", { name: FOLLOWS }));
  await userEvent.click(screen.getByRole("button", { name: "Start" }));
  await waitFor(() =>
    expect(calls.find(({ path, method }) => method === "POST" && path.endsWith("/runs"))?.body).toMatchObject(
      { follows: true },
    ),
  );
});

it("offers no such choice for a sample, nor for judges that follow anyway or cannot", async () => {
  openWith(9, { is_lexical: false, extra: "neural" });
  await screen.findByText("9 answers to judge.");
  await userEvent.type(screen.getByRole("textbox", { name: /^Sample size/ }), "5");
  expect(screen.queryByRole("checkbox", { name: FOLLOWS })).toBeNull();
  cleanup();
  openWith(9);
  await screen.findByText("9 answers to judge.");
  expect(screen.queryByRole("checkbox", { name: FOLLOWS })).toBeNull();
  cleanup();
  openWith(9, { is_lexical: false, needs: "decisions" });
  await screen.findByText("9 answers to judge.");
  expect(screen.queryByRole("checkbox", { name: FOLLOWS })).toBeNull();
});

it("offers a spending limit over a connection that costs, and none for a local model", async () => {
  const connection = { name: "Own", api: "transformers", model: "small" };
  openWith(
    9,
    { is_lexical: false, needs: "connection" },
    {
      "GET /api/projects/nq/prompts": [],
      "GET /api/projects/nq/connections": [
        { ...connection, id: "c1" },
        { ...connection, id: "c2", api: "openai" },
      ],
    },
  );
  const choice = await screen.findByRole("combobox", { name: "Connection" });
  await userEvent.selectOptions(choice, "c2");
  expect(screen.getByRole("textbox", { name: /^Spending limit/ })).toBeVisible();
  expect(screen.getByText(/what is new, within its spending limit/)).toBeVisible();
  await userEvent.selectOptions(choice, "c1");
  expect(screen.queryByRole("textbox", { name: /^Spending limit/ })).toBeNull();
  expect(screen.queryByText(/within its spending limit/)).toBeNull();
});
