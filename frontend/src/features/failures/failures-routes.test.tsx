import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { RoundDetail, TaggedItem } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function makeTag(key: string, name: string) {
  return { key, name, meaning: `${name} means this.`, example: "", group: "", judges: "any" as const };
}

function makeRound(more: Partial<RoundDetail> = {}): RoundDetail {
  return {
    id: "r",
    name: "Errors",
    set: "own",
    set_name: "Own",
    set_version: 1,
    subject: "answer",
    filter: {
      people: "reject",
      run: "",
      said: "any",
      system: "",
      flag: "",
      beyond_gold: false,
      by_hand: false,
    },
    judge: "",
    size: null,
    seed: 1,
    population: 2,
    proposals: "none",
    total: 2,
    done: 0,
    proposed: 0,
    not_proposed: 0,
    proposed_by: "",
    proposer: null,
    comparison: null,
    taggers: [],
    may_tag: true,
    created_by: "Lena",
    created_at: "2026-11-21T06:00:00Z",
    several: true,
    tags: [makeTag("vague", "Vague"), makeTag("wrong", "Wrong")],
    items: ["a", "b"].map((id) => ({
      id,
      question: `question ${id}`,
      answer: `answer ${id}`,
      tags: [],
      is_done: false,
    })),
    ...more,
  };
}

function makeItem(id: string, more: Partial<TaggedItem> = {}): TaggedItem {
  return {
    id,
    answer_id: `answer-${id}`,
    question: `question ${id}`,
    gold: ["gold"],
    amended_gold: ["gold"],
    flags: [],
    answer: `answer ${id}`,
    label: "incorrect",
    systems: ["Heron"],
    verdict: null,
    proposal: null,
    current: null,
    history: [],
    ...more,
  };
}

function tagged(id: string, tags: string[]): TaggedItem {
  const said = {
    number: 1,
    is_withdrawal: false,
    tags,
    is_unattributable: false,
    note: "",
    by: "Lena",
    at: "2026-11-21T06:00:00Z",
  };
  return makeItem(id, { current: said, history: [said] });
}

const ROUND = "/api/projects/nq/tagging/r";

function roundServer(round = makeRound(), first = makeItem("a")) {
  return startFakeServer({
    ...BASE,
    [`GET ${ROUND}`]: round,
    [`GET ${ROUND}/items/a`]: first,
    [`GET ${ROUND}/items/b`]: makeItem("b"),
    [`POST ${ROUND}/items/a/tags`]: tagged("a", ["wrong"]),
    [`POST ${ROUND}/items/a/withdraw`]: makeItem("a"),
  });
}

describe("a tagging round", () => {
  it("is worked by keyboard: tags, Enter, the next; and u takes back", async () => {
    const calls = roundServer();
    openApp("/nq/failures/r");
    await screen.findByRole("heading", { name: "question a" });
    await userEvent.keyboard("12x1{Enter}");
    await screen.findByRole("heading", { name: "question b" });
    expect(bodiesOf(calls, "POST")[0]).toEqual({
      tags: ["wrong"],
      is_unattributable: true,
      note: "",
      seen_number: 0,
    });
    expect(screen.getByText("1 of 2")).toBeVisible();
    await userEvent.keyboard("u");
    await screen.findByRole("heading", { name: "question a" });
    expect(calls.find(({ path }) => path.endsWith("/withdraw"))?.body).toEqual({ seen_number: 1 });
  });

  it("takes a proposal over by its own key only", async () => {
    const proposal = { tags: ["vague"], reason: "It is short.", failure: "", signature: "rules|revision:1" };
    const calls = roundServer(makeRound({ proposals: "shown" }), makeItem("a", { proposal }));
    openApp("/nq/failures/r");
    expect(await screen.findByText("It is short.")).toBeVisible();
    expect(screen.getByRole("button", { name: /^Vague/ })).toHaveAttribute("aria-pressed", "false");
    await userEvent.keyboard("{Enter}");
    expect(bodiesOf(calls, "POST")).toEqual([]);
    await userEvent.keyboard("0");
    expect(screen.getByRole("button", { name: /^Vague/ })).toHaveAttribute("aria-pressed", "true");
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("heading", { name: "question b" });
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ tags: ["vague"] });
  });

  it("says why nothing could be proposed", async () => {
    const proposal = { tags: [], reason: "", failure: "cut_off", signature: "model|gpt" };
    roundServer(makeRound({ proposals: "shown" }), makeItem("a", { proposal }));
    openApp("/nq/failures/r");
    expect(await screen.findByText("A model could not propose a tag: cut off.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Accept proposal/ })).toBeNull();
  });

  it("compares proposals with people, with an interval and tag by tag", async () => {
    const comparison = {
      compared: 4,
      agreed: 2,
      share: makeFigure(0.5, { low: 0.15, high: 0.85 }),
      tags: [
        { tag: "vague", proposed: 4, said: 2, both: 2 },
        { tag: "wrong", proposed: 0, said: 0, both: 0 },
      ],
    };
    roundServer(makeRound({ proposals: "shown", proposed: 4, comparison }));
    openApp("/nq/failures/r");
    expect(await screen.findByText(/exactly the proposed tags for 2 of 4 items/)).toBeVisible();
    expect(screen.getByText(/95% interval: 15% to 85%/)).toBeInTheDocument();
    expect(screen.getByRole("row", { name: "Vague 4 2 2" })).toBeVisible();
    expect(screen.queryByRole("row", { name: /^Wrong/ })).toBeNull();
  });

  it("says that hidden proposals wait for people", async () => {
    roundServer(makeRound({ proposals: "hidden", proposed: 2 }));
    openApp("/nq/failures/r");
    expect(await screen.findByText(/hidden from taggers/)).toBeVisible();
  });

  it("keeps nothing without a tag", async () => {
    const calls = roundServer();
    openApp("/nq/failures/r");
    await screen.findByRole("heading", { name: "question a" });
    await userEvent.keyboard("{Enter}");
    expect(bodiesOf(calls, "POST")).toEqual([]);
  });

  it("takes one tag where the set says so", async () => {
    const calls = roundServer(makeRound({ several: false }));
    openApp("/nq/failures/r");
    await screen.findByRole("heading", { name: "question a" });
    await userEvent.keyboard("12{Enter}");
    await screen.findByRole("heading", { name: "question b" });
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ tags: ["wrong"] });
  });

  it("says when somebody else was faster", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROUND}`]: makeRound(),
      [`GET ${ROUND}/items/a`]: makeItem("a"),
      [`POST ${ROUND}/items/a/tags`]: new FakeError(409, "conflict", "Somebody tagged this in the meantime."),
    });
    openApp("/nq/failures/r");
    await screen.findByRole("heading", { name: "question a" });
    await userEvent.keyboard("1{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Somebody tagged this in the meantime.");
  });

  it("is read only by those whom it does not name", async () => {
    roundServer(makeRound({ may_tag: false, taggers: ["Aki"] }));
    openApp("/nq/failures/r");
    expect(await screen.findByText("Taggers in this round: Aki")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Save and continue/ })).toBeNull();
  });
});

describe("the rounds", () => {
  it.each([
    [[2, 0, 3], "5 items tagged in 2 rounds."],
    [[0], "No answers or verdicts have been tagged yet."],
  ])("count those with something tagged: %j", async (done, words) => {
    const rounds = done.map((count, at) => makeRound({ id: `r${at}`, done: count, total: 3 }));
    startFakeServer({ ...BASE, "GET /api/projects/nq/tagging": { rounds, runs: [], people: [] } });
    openApp("/nq/failures");
    expect(await screen.findByText(words)).toBeVisible();
  });
});

describe("a new round", () => {
  it.each([
    [73, "73"],
    [173, "100"],
  ])("of %i items has a sample of %s until another is written", async (population, size) => {
    const set = { key: "own", name: "Own", summary: "", subject: "answer", is_archived: false };
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/tag-sets": [set],
      "GET /api/projects/nq/tagging": { rounds: [], runs: [], taggers: [] },
      "POST /api/projects/nq/tagging/preview": { population },
      "POST /api/projects/nq/tagging": makeRound(),
    });
    openApp("/nq/failures/new");
    const field = await screen.findByRole("textbox", { name: /^Sample size/ });
    await waitFor(() => expect(field).toHaveValue(size));
    await userEvent.clear(field);
    expect(field).toHaveValue("");
    await userEvent.type(field, "5");
    await userEvent.click(screen.getByRole("button", { name: "Create round" }));
    await waitFor(() => expect(bodiesOf(calls, "POST")).toContainEqual(expect.objectContaining({ size: 5 })));
  });

  it("cannot be created of nothing", async () => {
    const set = { key: "own", name: "Own", summary: "", subject: "answer", is_archived: false };
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/tag-sets": [set],
      "GET /api/projects/nq/tagging": { rounds: [], runs: [], taggers: [] },
      "POST /api/projects/nq/tagging/preview": { population: 0 },
    });
    openApp("/nq/failures/new");
    expect(await screen.findByText("0 items available.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Create round" })).toBeDisabled();
  });
});
