/** Systems beside each other, and the judges in short: shares with what they lie between. */
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { OfTwoPage, SystemsBoard } from "../../api/schema";
import { type Call, FakeError, startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { BASE, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { savedRows } from "../../test/saved-lines";

const BOUNDED: SystemsBoard = {
  signature: "systems|scope:sample|seed:1",
  questions: 100,
  answered_by_all: 80,
  pending: 0,
  by_programs: 0,
  systems: [
    {
      key: "dpr",
      name: "DPR",
      counts: { answered: 100, right: 60 },
      figures: {
        answered_share: makeFigure(1, { low: 1, high: 1 }),
        right_share: makeFigure(0.6, { low: 0.51, high: 0.69 }),
      },
    },
    {
      key: "fid",
      name: "FiD",
      counts: { answered: 80, right: 60 },
      figures: {
        answered_share: makeFigure(0.8, { low: 0.72, high: 0.88 }),
        right_share: makeFigure(0.75, { low: 0.66, high: 0.83 }),
      },
    },
  ],
  pairs: [
    {
      first: "dpr",
      second: "fid",
      questions: 80,
      agreement: makeFigure(0.4, { low: 0.3, high: 0.5 }),
      oracle: makeFigure(0.85, { why: "never_varies" }),
    },
  ],
  right_by: [
    { systems: 0, questions: 12, share: makeFigure(0.15, { low: 0.08, high: 0.23 }) },
    { systems: 1, questions: 28, share: makeFigure(0.35, { low: 0.25, high: 0.45 }) },
    { systems: 2, questions: 40, share: makeFigure(0.5, { why: "never_varies" }) },
  ],
  oracle: makeFigure(0.85, { low: 0.77, high: 0.92 }),
};
const ADDRESS = "GET /api/projects/nq/systems-board";
const SERVER = { ...BASE, [ADDRESS]: BOUNDED };

describe("systems beside each other", () => {
  it("have intervals in the squares, on coverage, and on easy and hard questions", async () => {
    startFakeServer(SERVER);
    openApp("/nq/leaderboard/systems");
    expect(await screen.findByText(/At least one correct: 95% interval 77.0 to 92.0%/)).toBeVisible();
    const same = screen.getByRole("grid", { name: "Matching answers for each pair of systems" });
    expect(within(same).getByRole("gridcell", { name: /^40\.0/ })).toBeVisible();
    const right = screen.getByRole("grid", {
      name: "Questions on which at least one of two systems is correct",
    });
    expect(within(right).getByRole("link", { name: "85.0" })).toHaveAttribute(
      "href",
      "/nq/answers?only_right=fid&only_wrong=dpr",
    );
    const coverage = screen.getByRole("table", { name: "Questions that each system answered" });
    expect(within(coverage).getByText(/95% interval 66.0 to 83.0/)).toBeInTheDocument();
    const hard = screen.getByRole("row", { name: /^none \(hard\)/ });
    expect(within(hard).getByTitle("95% interval 8.0 to 23.0")).toHaveTextContent("8.0–23.0");
    expect(screen.getAllByText(BOUNDED.signature)).toHaveLength(3);
  });

  it("name programs where they settled answers", async () => {
    startFakeServer({ ...SERVER, [ADDRESS]: { ...BOUNDED, by_programs: 160 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /^According to the decisions of people and judges, 85.0% of the 80 questions that all systems answered were answered correctly/,
      ),
    ).toBeVisible();
    expect(
      screen.getByText(
        /Automatic judges helped settle 160 of the systems’ 180 answers; these figures are not corrected by an audit/,
      ),
    ).toBeVisible();
  });

  it("are not said to be judged where people have decided nothing, or not all", async () => {
    const nothing = { ...BOUNDED, pending: 180 };
    startFakeServer({ ...SERVER, [ADDRESS]: nothing });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /^People have not decided any answers yet. By exact match, 85.0% of the 80 questions that all systems answered were answered correctly by at least one system/,
      ),
    ).toBeVisible();
  });

  it("are said once to have right among them what there is", async () => {
    const right_by = BOUNDED.right_by.map((row, index) => (index === 0 ? { ...row, questions: 0 } : row));
    startFakeServer({ ...SERVER, [ADDRESS]: { ...BOUNDED, right_by } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /each of the 80 questions that all systems answered was answered correctly by at least one system\.$/,
      ),
    ).toBeVisible();
  });

  it("are said to have so much right only as far as people have decided", async () => {
    startFakeServer({ ...SERVER, [ADDRESS]: { ...BOUNDED, pending: 3 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /^According to people’s decisions so far, 85.0% of the 80 questions that all systems answered were answered correctly/,
      ),
    ).toBeVisible();
  });

  it("stand there without where one has no interval, and where none came", async () => {
    const [pair] = BOUNDED.pairs;
    const pairs = pair && [{ ...pair, agreement: makeFigure(0.4), oracle: makeFigure(0.85) }];
    const refuse = ({ query }: Call) =>
      query.includes("intervals=true")
        ? new FakeError(500, "broken", "Something went wrong.")
        : { ...BOUNDED, pairs };
    startFakeServer({ ...SERVER, [ADDRESS]: refuse });
    openApp("/nq/leaderboard/systems");
    expect(await screen.findByText("Could not compute the intervals.")).toBeVisible();
    const square = screen.getByRole("grid", {
      name: "Questions on which at least one of two systems is correct",
    });
    await userEvent.click(within(square).getByRole("gridcell", { name: "85.0" }));
    expect(screen.getByText("FiD, DPR: 80 questions")).toBeVisible();
  });

  it("tell their interval to a click, to Tab and to arrows", async () => {
    startFakeServer(SERVER);
    openApp("/nq/leaderboard/systems");
    const same = await screen.findByRole("grid", { name: "Matching answers for each pair of systems" });
    const told = "FiD, DPR: 80 questions, 95% interval 30.0 to 50.0";
    const square = within(same).getByRole("gridcell", { name: /^40\.0/ });
    await userEvent.click(square);
    expect(screen.getByText(told)).toBeVisible();
    await userEvent.tab();
    await userEvent.tab({ shift: true });
    expect(square).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}{ArrowUp}");
    expect(square).toHaveFocus();
  });
});

describe("files of systems beside each other", () => {
  const saved = async (name: string) => {
    startFakeServer(SERVER);
    openApp("/nq/leaderboard/systems");
    await screen.findByText(/At least one correct: 95% interval/);
    return savedRows(name);
  };

  it("have both ends of each interval, empty where there is none", async () => {
    expect((await saved("pairs-of-systems"))[0]).toMatchObject({
      first: "dpr",
      second: "fid",
      questions: "80",
      agreement_low: "0.3",
      agreement_high: "0.5",
      right_together: "0.85",
      right_together_low: "",
    });
  });

  it("have a row for every number of systems and one for any", async () => {
    const rows = await saved("easy-and-hard-questions");
    expect(rows.map((row) => [row["right_by"], row["questions"], row["share"]])).toEqual([
      ["0", "12", "0.15"],
      ["1", "28", "0.35"],
      ["2", "40", "0.5"],
      ["any", "68", "0.85"],
    ]);
    expect(rows.map((row) => row["share_low"])).toEqual(["0.08", "0.25", "", "0.77"]);
  });
});

describe("two systems, question by question", () => {
  const OF_TWO: OfTwoPage = {
    count: 2,
    before: 0,
    previous: null,
    next: null,
    both: 40,
    only_first: 2,
    only_second: 3,
    neither: 35,
    questions: [
      {
        id: "q1",
        question: "who wrote hamlet",
        gold: ["Shakespeare"],
        first: { id: "a1", text: "William Shakespeare", label: "correct" },
        second: { id: "a2", text: "Marlowe", label: null },
      },
    ],
  };
  const open = (address: string) => {
    const calls = startFakeServer({ ...SERVER, [`${ADDRESS}/two`]: OF_TWO });
    openApp(address);
    return () => new URLSearchParams(calls.findLast(({ path }) => path.endsWith("/two"))?.query);
  };

  it("are set beside each other with what each answered", async () => {
    const asked = open("/nq/leaderboard/systems");
    const table = await screen.findByRole("table", { name: "DPR and FiD: 2 questions" });
    expect(within(table).getByRole("link", { name: "Marlowe" })).toHaveAttribute("href", "/nq/answers/a2");
    expect(screen.getByRole("radio", { name: "Only DPR correct (2)" })).toBeChecked();
    expect(asked().get("right")).toBe("first");
    await userEvent.click(screen.getByRole("radio", { name: "Only FiD correct (3)" }));
    await waitFor(() => expect(asked().get("right")).toBe("second"));
  });

  it("are the two that the address names, at the page it names", async () => {
    const asked = open("/nq/leaderboard/systems?first=fid&right=both&two_cursor=c2&cursor=c5");
    await screen.findByRole("table", { name: "FiD and DPR: 2 questions" });
    expect([asked().get("first"), asked().get("second")]).toEqual(["fid", "dpr"]);
    expect([asked().get("right"), asked().get("cursor")]).toEqual(["both", "c2"]);
  });

  it("are saved whole, not the page in sight alone", async () => {
    const of = (cursor: string | null) => ({
      ...OF_TWO,
      next: cursor ? null : "c2",
      questions: [{ ...OF_TWO.questions[0], id: cursor ? "q2" : "q1" }],
    });
    const calls = startFakeServer({
      ...SERVER,
      [`${ADDRESS}/two`]: ({ query }: Call) => of(new URLSearchParams(query).get("cursor")),
    });
    openApp("/nq/leaderboard/systems");
    await screen.findByRole("table", { name: "DPR and FiD: 2 questions" });
    const rows = await savedRows("questions-of-two-dpr-fid-first");
    expect(rows.map((row) => row["id"])).toEqual(["q1", "q2"]);
    expect(rows[0]).toMatchObject({ first_answer: "William Shakespeare", second_label: "" });
    expect(calls.at(-1)?.query).toContain("limit=1000");
  });

  it("are not shown to whoever may not see systems", async () => {
    const project = { ...PROJECT, role: "adjudicator", sees_systems: false };
    startFakeServer({ ...SERVER, "GET /api/projects/nq": project });
    openApp("/nq/leaderboard/systems");
    await screen.findByRole("table", { name: "Questions that each system answered" });
    expect(screen.queryByText("Two systems, question by question")).not.toBeInTheDocument();
  });
});
