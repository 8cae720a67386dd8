/** Saved views of the table, and what leaves or is tagged from it. */
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { AnswerChoices, SavedView, TagSet } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { ANSWER_LINE, BASE as LEAD, makeAnswerPage, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import * as files from "../../lib/save-file";

const CHOICES: AnswerChoices = {
  systems: [],
  judges: [],
  datasets: ["nq"],
  tags: [],
  flags: [],
  sources: [],
  raters: [],
};
const PAGE = makeAnswerPage({
  count: 120,
  next: "c1",
  answers: [ANSWER_LINE, { ...ANSWER_LINE, id: "c2", answer: "you" }],
});
const VIEW: SavedView = {
  id: "v1",
  name: "Long and correct",
  query: { label: "correct", sort: "-words" },
  by: "Lena",
  at: "2026-11-20T10:00:00Z",
  may_change: true,
};
const VIEWS = "/api/projects/nq/answer-views";
const BASE = {
  ...LEAD,
  "GET /api/projects/nq/answer-choices": CHOICES,
  "GET /api/projects/nq/answers": PAGE,
  [`GET ${VIEWS}`]: [VIEW],
};

function open(address: string, more: object = {}) {
  const calls = startFakeServer({ ...BASE, ...more });
  const router = openApp(address);
  return {
    router,
    asked: () => new URLSearchParams(calls.findLast(({ path }) => path.endsWith("/answers"))?.query),
    sent: (method: string, path: string) =>
      calls.findLast((call) => call.method === method && call.path.endsWith(path))?.body,
    calls,
  };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

describe("saved views", () => {
  it("stand above the table, each with an address of its own that opens it", async () => {
    const { asked, router } = open("/nq/answers");
    const link = await screen.findByRole("link", { name: "Long and correct" });
    expect(link).toHaveAttribute("href", "/nq/answers/views/v1");
    await userEvent.click(link);
    await waitFor(() => expect(asked().get("sort")).toBe("-words"));
    expect(asked().get("label")).toBe("correct");
    expect(router.state.location.pathname).toBe("/nq/answers");
    expect(await screen.findByRole("link", { name: "Long and correct" })).toHaveAttribute("aria-current");
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
  });

  it("say that there is none at an address of none", async () => {
    open("/nq/answers/views/gone");
    expect(await screen.findByText("View not found")).toBeVisible();
  });

  it("are saved with filters, columns and order, and no place among the pages", async () => {
    const { sent, router } = open("/nq/answers?label=correct&columns=votes&sort=words&cursor=c0", {
      [`POST ${VIEWS}`]: { ...VIEW, id: "v2", name: "Mine" },
    });
    await press("Save view");
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("Name"), " Mine ");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save view" }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ view: "v2" }));
    expect(sent("POST", "/answer-views")).toEqual({
      name: "Mine",
      query: { label: "correct", columns: "votes", sort: "words" },
    });
  });

  it("say why a name is refused", async () => {
    const words = "This project already has a view named “Mine”. Choose another name.";
    open("/nq/answers", { [`POST ${VIEWS}`]: new FakeError(409, "conflict", words) });
    await press("Save view");
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("Name"), "Mine{Enter}");
    expect(await within(dialog).findByText(words)).toBeVisible();
  });

  it("say that they were changed, and take the change", async () => {
    const { sent } = open("/nq/answers?label=incorrect&view=v1", { [`PATCH ${VIEWS}/v1`]: VIEW });
    expect(await screen.findByText("Unsaved changes")).toBeVisible();
    await press("Save changes");
    await waitFor(() => expect(sent("PATCH", "/v1")).toEqual({ query: { label: "incorrect" } }));
  });

  it("are renamed and deleted", async () => {
    const { sent, router, calls } = open("/nq/answers?label=correct&sort=-words&view=v1", {
      [`PATCH ${VIEWS}/v1`]: VIEW,
      [`DELETE ${VIEWS}/v1`]: {},
    });
    expect(await screen.findByRole("button", { name: "Copy link" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Rename" })).toBeNull();
    await press("Change “Long and correct”");
    await press("Rename");
    const name = within(screen.getByRole("dialog")).getByLabelText("Name");
    await userEvent.clear(name);
    await userEvent.type(name, "Other{Enter}");
    await waitFor(() => expect(sent("PATCH", "/v1")).toEqual({ name: "Other" }));
    await press("Change “Long and correct”");
    await press("Delete");
    await press("Delete view");
    await waitFor(() => expect(calls.some(({ method }) => method === "DELETE")).toBe(true));
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("view"));
  });

  it("of others are opened and not changed", async () => {
    open("/nq/answers?view=v1", { [`GET ${VIEWS}`]: [{ ...VIEW, may_change: false }] });
    expect(await screen.findByRole("button", { name: "Copy link" })).toBeVisible();
    for (const name of [/^Change/, "Save changes"])
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
  });
});

describe("answers that leave the table", () => {
  const EXPORTS = "POST /api/projects/nq/answer-exports";
  const select = async (name: string) =>
    userEvent.click(await screen.findByRole("checkbox", { name: `Select “${name}”` }));

  it("are those that are selected", async () => {
    const download = vi.spyOn(files, "downloadFrom").mockImplementation(() => undefined);
    const { sent } = open("/nq/answers?label=correct", { [EXPORTS]: { id: "e1", state: "finished" } });
    await select("you");
    await press("Export selected answers");
    expect(screen.getByRole("dialog", { name: "Export 1 answer" })).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Format"), "JSON Lines, for programs");
    await press("Create file");
    await waitFor(() => expect(download).toHaveBeenCalledWith("/api/exports/e1/download"));
    expect(sent("POST", "/answer-exports")).toEqual({
      format: "answers-jsonl",
      answers: ["c2"],
      query: { label: "correct" },
    });
  });

  it("are all that match where none is selected; a large file is made meanwhile", async () => {
    const { sent } = open("/nq/answers?dataset=nq&columns=votes", {
      [EXPORTS]: { id: "e1", state: "queued" },
    });
    await press("Export matching answers");
    expect(screen.getByRole("dialog", { name: "Export 120 answers" })).toBeVisible();
    await press("Create file");
    expect(await screen.findByText(/will appear on the Export page/)).toBeVisible();
    expect(sent("POST", "/answer-exports")).toEqual({
      format: "answers-csv",
      answers: [],
      query: { dataset: "nq" },
    });
  });

  it("also leave a project that is archived, but not by adjudicators", async () => {
    open("/nq/answers", { "GET /api/projects/nq": { ...PROJECT, state: "archived" } });
    expect(await screen.findByRole("button", { name: "Export matching answers" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Save view" })).not.toBeInTheDocument();
  });

  it("do not leave by adjudicators", async () => {
    open("/nq/answers", { "GET /api/projects/nq": { ...PROJECT, role: "adjudicator" } });
    await screen.findByRole("table", { name: "Answers" });
    expect(screen.queryByRole("button", { name: /^Export/ })).not.toBeInTheDocument();
  });
});

describe("answers that are tagged", () => {
  const tag = (key: string, name: string) => ({
    key,
    name,
    meaning: `It is ${name}.`,
    example: "",
    group: "",
    judges: "any" as const,
  });
  const SET: TagSet = {
    key: "kamalloo",
    name: "Kamalloo",
    summary: "",
    source: "",
    subject: "answer",
    several: true,
    tags: [tag("granularity", "Granularity"), tag("list", "List")],
    version: 0,
    is_own: false,
    is_used: false,
  };
  const REPLIES = {
    "GET /api/projects/nq/tag-sets": [SET, { ...SET, key: "v", name: "Verdicts", subject: "verdict" }],
    "POST /api/projects/nq/tagging/chosen": { id: "r1", total: 2 },
  };

  it("get the same tags at once", async () => {
    const { sent } = open("/nq/answers", REPLIES);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await press("Tag");
    const dialog = screen.getByRole("dialog", { name: "Tag 2 answers" });
    expect(within(dialog).queryByRole("option", { name: "Verdicts" })).not.toBeInTheDocument();
    await userEvent.click(await within(dialog).findByRole("checkbox", { name: "List" }));
    await userEvent.type(within(dialog).getByLabelText("Note"), "seen together");
    await press("Tag 2 answers");
    expect(await screen.findByText("2 answers tagged.")).toBeVisible();
    expect(sent("POST", "/chosen")).toEqual({
      set: "kamalloo",
      answers: ["c1", "c2"],
      tags: ["list"],
      note: "seen together",
    });
  });

  it("open as a round where no tag is the same for all", async () => {
    const { router } = open("/nq/answers", REPLIES);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await press("Tag");
    await screen.findByRole("checkbox", { name: "List" });
    await press("Tag one by one");
    await waitFor(() => expect(router.state.location.pathname).toBe("/nq/failures/r1"));
  });
});
