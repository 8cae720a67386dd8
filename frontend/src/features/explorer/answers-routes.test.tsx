/** The list of answers, as those read it who may not list runs. */
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { startFakeServer } from "../../test/fake-server";
import { BASE, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

describe("the answers on which a judge errs", () => {
  it("name the judge for an adjudicator, too", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq": { ...PROJECT, role: "adjudicator" },
      "GET /api/projects/nq/judge-board": [{ run: "r1", name: "Containment" }],
      "GET /api/projects/nq/answers": { count: 0, page: 1, page_count: 1, questions: null, answers: [] },
    });
    openApp("/nq/answers?errors_of=r1");
    expect(await screen.findByText("0 answers on which Containment and people differ")).toBeVisible();
  });
});

describe("the answers on which first raters differ", () => {
  const LIST = { count: 51, page: 1, page_count: 2, questions: null, answers: [] };

  it("are read as the number was that led here, and said so", async () => {
    const calls = startFakeServer({ ...BASE, "GET /api/projects/nq/answers": LIST });
    openApp("/nq/answers?state=disagreement&missing_votes=as-correct&labels=definitely");
    expect(
      await screen.findByText(/^51 answers on which the first raters differ .*as correct\)$/),
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

  it("are counted in questions where a check is what two raters differ in", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/answers": { ...LIST, questions: 17 },
    });
    openApp("/nq/answers?state=disagreement&check=ambiguous&raters=R-1~R-2");
    expect(
      await screen.findByText(
        "17 questions with 51 answers on which R-1 and R-2 differ in the check “ambiguous”",
      ),
    ).toBeVisible();
    expect(calls.find(({ path }) => path.endsWith("/answers"))?.query).toMatch(
      /check=ambiguous&raters=R-1(~|%7E)R-2/,
    );
  });
});

describe("the letters of raters", () => {
  const LINE = {
    id: "c1",
    question: "who",
    answer: "me",
    state: "decided",
    label: "correct",
    source: "unanimous",
  };
  const answered = (votes: readonly object[]) => ({
    ...BASE,
    "GET /api/projects/nq/answers": {
      count: 1,
      page: 1,
      page_count: 1,
      answers: [{ ...LINE, systems: [], votes }],
    },
  });

  it("are said to be drawn anew for each answer", async () => {
    startFakeServer(answered([{ letter: "A", label: "correct" }]));
    openApp("/nq/answers");
    expect(
      await screen.findByText(/^Letters stand for raters and are drawn again for each answer/),
    ).toBeVisible();
  });

  it("are not spoken of where nobody has voted", async () => {
    startFakeServer(answered([]));
    openApp("/nq/answers");
    expect(await screen.findByRole("table", { name: "Answers" })).toBeVisible();
    expect(screen.queryByText(/drawn anew/)).not.toBeInTheDocument();
  });
});
