/** The list of answers, as those read it who may not list runs. */
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AnswerChoices, AnswerLine, AnswerPage } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { ANSWER_LINE, BASE as LEAD, makeAnswerPage, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const CHOICES: AnswerChoices = {
  systems: [
    { id: "alpha", name: "Alpha" },
    { id: "beta", name: "Beta" },
  ],
  judges: [
    { id: "r1", name: "Exact match" },
    { id: "r2", name: "Token F1" },
  ],
  datasets: ["nq", "tq"],
  tags: [],
  flags: ["list"],
  sources: ["majority"],
  raters: ["R-1", "R-2"],
};
const BASE = { ...LEAD, "GET /api/projects/nq/answer-choices": CHOICES };
const LINE: AnswerLine = {
  ...ANSWER_LINE,
  flags: ["list"],
  verdicts: [{ run: "r1", accepted: false, score: 0.25, reason: "" }],
};
const PAGE = makeAnswerPage();

describe("the tools of the table", () => {
  it("are folded on a phone, below a button that counts the filters", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers": makeAnswerPage({ count: 1, answers: [ANSWER_LINE] }),
    });
    openApp("/nq/answers?state=decided&search=me");
    const fold = await screen.findByRole("button", { name: "Filters and columns (2)" });
    expect(fold).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(fold);
    expect(fold).toHaveAttribute("aria-expanded", "true");
    const tools = document.getElementById(fold.getAttribute("aria-controls") ?? "");
    expect(tools).toHaveAttribute("data-open", "true");
    expect(tools).toContainElement(screen.getByRole("button", { name: "Search" }));
  });
});

describe("the answers on which a judge errs", () => {
  it("name the judge for an adjudicator, too", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq": { ...PROJECT, role: "adjudicator" },
      "GET /api/projects/nq/judge-board": [{ run: "r1", name: "Containment" }],
      "GET /api/projects/nq/answers": PAGE,
    });
    openApp("/nq/answers?errors_of=r1");
    expect(await screen.findByText("0 answers on which Containment and people disagree")).toBeVisible();
  });
});

describe("a project without answers", () => {
  it("has nothing to search, and keeps the search where it found nothing", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/answers": PAGE });
    openApp("/nq/answers");
    expect(await screen.findByText("Answers and their history appear here")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Search" })).toBeNull();
    openApp("/nq/answers?search=berlin");
    expect(await screen.findByRole("button", { name: "Search" })).toBeVisible();
  });
});

describe("the answers on which first annotators differ", () => {
  const LIST = { ...PAGE, count: 51 };

  it("are read as the number was that led here, and said so", async () => {
    const calls = startFakeServer({ ...BASE, "GET /api/projects/nq/answers": LIST });
    openApp("/nq/answers?state=disagreement&missing_votes=as-correct&labels=definitely");
    expect(
      await screen.findByText(/^51 answers on which the first-round annotators disagree .*correct\)$/),
    ).toBeVisible();
    expect(calls.find(({ path }) => path.endsWith("/answers"))?.query).toMatch(
      /missing_votes=as-correct.*labels=definitely/,
    );
  });

  it("are read in no way where another state is looked for", async () => {
    const calls = startFakeServer({ ...BASE, "GET /api/projects/nq/answers": LIST });
    openApp("/nq/answers?state=decided&missing_votes=as-correct");
    expect(await screen.findByText("51 answers")).toBeVisible();
    expect(calls.find(({ path }) => path.endsWith("/answers"))?.query).not.toContain("missing_votes");
  });

  it("are counted in questions where a check is what two annotators differ in", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers": { ...LIST, questions: 17 },
    });
    openApp("/nq/answers?state=disagreement&check=ambiguous&raters=R-1~R-2");
    expect(
      await screen.findByText(
        "17 questions with 51 answers for which R-1 and R-2 disagree on the check “ambiguous”",
      ),
    ).toBeVisible();
    expect(calls.find(({ path }) => path.endsWith("/answers"))?.query).toMatch(
      /check=ambiguous&raters=R-1(~|%7E)R-2/,
    );
  });
});

describe("the letters of annotators", () => {
  const answered = (votes: AnswerLine["votes"]) => ({
    ...BASE,
    "GET /api/projects/nq/answers": { ...PAGE, count: 1, answers: [{ ...LINE, votes }] },
  });

  it("are said to be drawn anew for each answer", async () => {
    startFakeServer(answered([{ letter: "A", label: "correct" }]));
    openApp("/nq/answers");
    expect(await screen.findByText(/Letters are assigned separately for each answer/)).toBeVisible();
  });

  it("are not spoken of where nobody has voted", async () => {
    startFakeServer(answered([]));
    openApp("/nq/answers");
    expect(await screen.findByRole("table", { name: "Answers" })).toBeVisible();
    expect(screen.queryByText(/drawn anew/)).not.toBeInTheDocument();
  });
});

describe("the table of answers", () => {
  const TABLE = "/answers";
  const open = (address: string, page: Partial<AnswerPage> = {}) => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers": { ...PAGE, count: 1, judges: ["r1"], answers: [LINE], ...page },
    });
    openApp(address);
    const allAsked = () =>
      calls.filter(({ path }) => path.endsWith(TABLE)).map(({ query }) => new URLSearchParams(query));
    return Object.assign(() => allAsked().at(-1) ?? new URLSearchParams(), { all: allAsked });
  };

  it("shows the judges that the server chose beside the usual columns", async () => {
    open("/nq/answers");
    const table = await screen.findByRole("table", { name: "Answers" });
    expect(await within(table).findByRole("columnheader", { name: "Exact match" })).toBeVisible();
    const headers = within(table).getAllByRole("columnheader");
    expect(headers.map(({ textContent }) => textContent)).toEqual([
      "",
      "Answer",
      "Votes",
      "Decision",
      "Systems",
      "Exact match",
    ]);
    expect(within(table).getByText("0.25")).toBeVisible();
    expect(within(table).getByText("Rejects")).toBeInTheDocument();
  });

  it("has the columns of the address, in its order, and asks for no other judge", async () => {
    const asked = open("/nq/answers?columns=words~r1~flags");
    const table = await screen.findByRole("table", { name: "Answers" });
    await within(table).findByRole("columnheader", { name: "Exact match" });
    const headers = within(table).getAllByRole("columnheader");
    expect(headers.map(({ textContent }) => textContent)).toEqual([
      "",
      "Answer",
      "Words",
      "Exact match",
      "Flags",
    ]);
    expect(within(table).getByText("Asks for a list")).toBeVisible();
    expect(asked().get("judges")).toBe("r1");
  });

  it("adds a column to the address and takes one away", async () => {
    const asked = open("/nq/answers");
    await userEvent.click(await screen.findByText("Columns"));
    await userEvent.click(await screen.findByRole("checkbox", { name: "Token F1" }));
    await waitFor(() => expect(asked().get("judges")).toBe("r1~r2"));
    await userEvent.click(screen.getByRole("checkbox", { name: "Exact match" }));
    await waitFor(() => expect(asked().get("judges")).toBe("r2"));
    await userEvent.click(screen.getByRole("button", { name: "Reset columns" }));
    await waitFor(() => expect(asked().get("judges")).toBeNull());
  });

  it("is sorted by a column, then the other way, then as the study is", async () => {
    const asked = open("/nq/answers?cursor=c0");
    const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
    await press("Decision");
    await waitFor(() => expect(asked().get("sort")).toBe("label"));
    expect(asked().get("cursor")).toBeNull();
    await press("Decision");
    await waitFor(() => expect(asked().get("sort")).toBe("-label"));
    await press("Decision");
    await waitFor(() => expect(asked().get("sort")).toBeNull());
    await press("Exact match");
    await waitFor(() => expect(asked().get("sort")).toBe("-r1"));
  });

  it("goes on after the last row in sight, and back before the first", async () => {
    const asked = open("/nq/answers", { count: 120, before: 50, previous: "c51", next: "c100" });
    expect(await screen.findByText("51–51 of 120")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(asked().get("cursor")).toBe("c100"));
    await userEvent.click(screen.getByRole("button", { name: "Previous" }));
    await waitFor(() => expect(asked().get("cursor")).toBe("c51"));
  });

  it("is narrowed by a choice, which is then said and can be taken back", async () => {
    const asked = open("/nq/answers?cursor=c0");
    await userEvent.click(await screen.findByText("More filters"));
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "System" }), "Alpha");
    await waitFor(() => expect(asked().get("given_by")).toBe("alpha"));
    expect(asked().get("cursor")).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText("Verdict"), "People accept");
    await userEvent.selectOptions(screen.getByLabelText("Verdict"), "Exact match rejects");
    await waitFor(() => expect(asked().get("said")).toBe("people~accepted,r1~rejected"));
    await userEvent.click(screen.getByRole("button", { name: /^People accept/ }));
    await waitFor(() => expect(asked().get("said")).toBe("r1~rejected"));
    await userEvent.click(screen.getByRole("button", { name: "Remove all filters" }));
    await waitFor(() => expect(asked().get("given_by")).toBeNull());
    expect(asked().get("said")).toBeNull();
  });

  it("takes a number of words once it was typed", async () => {
    const asked = open("/nq/answers");
    await userEvent.click(await screen.findByText("More filters"));
    await userEvent.type(await screen.findByLabelText("Minimum words"), "5{Enter}");
    await waitFor(() => expect(asked().get("min_words")).toBe("5"));
    expect(screen.getByRole("button", { name: /^At least 5 words/ })).toBeVisible();
  });

  it("says in words what an address asks for", async () => {
    const address = "only_right=alpha&only_wrong=beta&differing=people~r1&label=correct";
    const asked = open(`/nq/answers?${address}`);
    const parts = await screen.findByRole("list", { name: "Active filters" });
    await waitFor(() =>
      expect(parts).toHaveTextContent("Alpha correct, Beta incorrect, according to people"),
    );
    expect(parts).toHaveTextContent("People and Exact match disagree");
    expect(parts).toHaveTextContent("Decision: Correct");
    expect(asked().get("only_wrong")).toBe("beta");
    await userEvent.click(screen.getByText("More filters"));
    await userEvent.click(screen.getByRole("button", { name: "Swap systems" }));
    await waitFor(() => expect(asked().get("only_right")).toBe("beta"));
  });

  it("asks where two columns disagree, annotators among them", async () => {
    const asked = open("/nq/answers");
    await userEvent.click(await screen.findByText("More filters"));
    await userEvent.selectOptions(await screen.findByLabelText("Disagreement between"), "R-1");
    await userEvent.selectOptions(screen.getByLabelText("And"), "R-2");
    await waitFor(() => expect(asked().get("differing")).toBe("rater:R-1~rater:R-2"));
    // One alone asks for nothing.
    expect(asked.all().flatMap((query) => query.get("differing") ?? [])).toEqual(["rater:R-1~rater:R-2"]);
    expect(screen.getByLabelText("And")).toHaveFocus();
    expect(screen.getByRole("button", { name: /^R-1 and R-2 disagree/ })).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Disagreement between"), "People");
    await waitFor(() => expect(asked().get("differing")).toBe("people~rater:R-2"));
    await userEvent.selectOptions(screen.getByLabelText("And"), "");
    await waitFor(() => expect(asked().get("differing")).toBeNull());
  });

  it("offers an adjudicator neither systems nor annotators that the server keeps back", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq": { ...PROJECT, role: "adjudicator", sees_systems: false },
      "GET /api/projects/nq/answer-choices": { ...CHOICES, systems: null, raters: null },
      "GET /api/projects/nq/answers": { ...PAGE, count: 1, answers: [{ ...LINE, systems: null }] },
    });
    openApp("/nq/answers");
    await userEvent.click(await screen.findByText("More filters"));
    expect(await screen.findByRole("combobox", { name: "Data set" })).toBeVisible();
    expect(screen.queryByRole("combobox", { name: "System" })).not.toBeInTheDocument();
    expect(screen.queryByLabelText("Judged by")).not.toBeInTheDocument();
    expect(screen.queryByRole("columnheader", { name: "Systems" })).not.toBeInTheDocument();
  });
});

describe("answers that are selected", () => {
  const LINES = [LINE, { ...LINE, id: "c2", answer: "you", number: 0, label: null, source: null }];
  const open = (more: object) => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers": { ...PAGE, count: 2, answers: LINES },
      ...more,
    });
    openApp("/nq/answers");
    return (path: string) => calls.find((call) => call.path.endsWith(path))?.body;
  };
  const select = async (name: string) =>
    userEvent.click(await screen.findByRole("checkbox", { name: `Select “${name}”` }));

  it("are decided together as they were seen, which can be undone", async () => {
    const sent = open({
      "POST /api/projects/nq/queue/decide": { group: "g1", decided: 2 },
      "POST /api/projects/nq/queue/take-back": { answers: ["c1", "c2"], begun: [] },
    });
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    expect(screen.getByText("2 selected")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Decide selected" }));
    expect(screen.getByText(/^1 decision will be replaced/)).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Label for all answers"), "Incorrect");
    await userEvent.type(screen.getByLabelText("Reason"), "looked it up");
    await userEvent.click(screen.getByRole("button", { name: "Decide 2 answers" }));
    expect(await screen.findByText("2 answers decided: Incorrect.")).toBeVisible();
    expect(sent("/queue/decide")).toEqual({
      answers: [
        { id: "c1", seen_number: 1 },
        { id: "c2", seen_number: 0 },
      ],
      label: "incorrect",
      reason: "looked it up",
    });
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Undone.")).toBeVisible();
    expect(sent("/take-back")).toEqual({ group: "g1" });
  });

  it("go back to annotators, or the page says which one cannot", async () => {
    const refusal = "No answer was sent back. “me” cannot be sent back: it waits for no decision.";
    const sent = open({
      "POST /api/projects/nq/queue/send-back": new FakeError(409, "conflict", refusal),
    });
    await select("me");
    await userEvent.click(screen.getByRole("button", { name: "Send back to annotators" }));
    await userEvent.type(screen.getByLabelText("Reason"), "twice");
    await userEvent.click(screen.getByRole("button", { name: "Send back" }));
    expect(await screen.findByText(refusal)).toBeVisible();
    expect(sent("/queue/send-back")).toEqual({ answers: [{ id: "c1", seen_number: 1 }], reason: "twice" });
    expect(screen.getByText("1 selected")).toBeInTheDocument();
  });

  it("come back from annotators but for those that an annotator has begun, and the page says so", async () => {
    open({
      "POST /api/projects/nq/queue/send-back": { group: "g2", sent_back: 2 },
      "POST /api/projects/nq/queue/take-back": { answers: ["c2"], begun: ["c1"] },
    });
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await userEvent.click(screen.getByRole("button", { name: "Send back to annotators" }));
    await userEvent.type(screen.getByLabelText("Reason"), "twice");
    await userEvent.click(screen.getByRole("button", { name: "Send back" }));
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect(
      await screen.findByText(
        "1 answer recalled. 1 answer could not be recalled because annotators have already started judging.",
      ),
    ).toBeVisible();
  });

  it("say how many of them were known answers already", async () => {
    open({ "POST /api/projects/nq/known-answers/several": { marked: 1 } });
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await userEvent.click(screen.getByRole("button", { name: "Use as known answers" }));
    await userEvent.click(screen.getByRole("button", { name: "Add known answers" }));
    expect(
      await screen.findByText("1 known answer added. 1 answer was already a known answer."),
    ).toBeVisible();
  });

  it("become known answers", async () => {
    const sent = open({ "POST /api/projects/nq/known-answers/several": { marked: 1 } });
    await select("me");
    await userEvent.click(screen.getByRole("button", { name: "Use as known answers" }));
    await userEvent.selectOptions(screen.getByLabelText("Purpose"), "Training");
    await userEvent.click(screen.getByRole("button", { name: "Add known answers" }));
    expect(await screen.findByText("1 known answer added.")).toBeVisible();
    expect(sent("/known-answers/several")).toEqual({ answers: ["c1"], use: "training" });
  });

  it("are none in a project that is archived", async () => {
    open({ "GET /api/projects/nq": { ...PROJECT, state: "archived" } });
    expect(await screen.findByRole("table", { name: "Answers" })).toBeVisible();
    expect(screen.queryByRole("checkbox", { name: /^Select/ })).not.toBeInTheDocument();
  });
});
