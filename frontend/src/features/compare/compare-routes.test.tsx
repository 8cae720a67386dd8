import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Comparison } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { makeScore } from "../../test/figures";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function project(slug: string, name: string, role = "lead") {
  const counts = {
    question_count: 3,
    answer_count: 5,
    decided_count: 5,
    left_questions: null,
    waiting_decisions: null,
  };
  return { slug, name, description: "", state: "open", role, ...counts };
}

const SCORE = makeScore(0.5, { correct: 1, n: 2, rank: makeFigure(1) });

function judge(key: string, distance: number) {
  const counts = { projects: 2, systems: 2 };
  return {
    key,
    name: key.toUpperCase(),
    signature: `judge:${key}`,
    unit: "accuracy" as const,
    distance: makeFigure(distance),
    ...counts,
  };
}

const FOUND: Comparison = {
  signature: "projects|projects:nq,tq|seed:1",
  projects: [
    {
      slug: "nq",
      name: "NQ",
      scope: "sample",
      is_estimated: false,
      n_questions: 2,
      judged_questions: 2,
      has_people: true,
      all_decided: true,
      programs_share: 0,
    },
    {
      slug: "tq",
      name: "TriviaQA",
      scope: "sample",
      is_estimated: false,
      n_questions: 2,
      judged_questions: 1,
      has_people: true,
      programs_share: 0,
      all_decided: false,
    },
  ],
  evaluators: [judge("em", 0.2), judge("bem", 0.05)],
  rows: ["nq", "tq"].map((slug) => ({
    project: slug,
    system: "fid",
    label: `FiD on ${slug}`,
    n: 2,
    scores: {
      em: { ...SCORE, difference: makeFigure(-0.2) },
      bem: { ...SCORE, difference: makeFigure(0.05) },
    },
    people: SCORE,
  })),
  published: [],
};

function open(path: string, found: Comparison = FOUND) {
  startFakeServer({
    ...BASE,
    "GET /api/projects": [
      project("nq", "NQ"),
      project("tq", "TriviaQA", "adjudicator"),
      project("x", "X", "annotator"),
    ],
    "GET /api/comparison": found,
  });
  return openApp(path);
}

describe("comparing projects", () => {
  it("offers those in which one may see scores, and says what to do", async () => {
    open("/compare");
    const choice = within(await screen.findByRole("group", { name: "Projects" }));
    expect(choice.getAllByRole("checkbox").map((box) => box.parentElement?.textContent.trim())).toEqual([
      "NQ",
      "TriviaQA",
    ]);
    expect(screen.getByText("Choose projects to compare")).toBeInTheDocument();
  });

  it("says who comes nearest, marks it, and what is not decided", async () => {
    open("/compare?projects=nq,tq");
    expect(
      await screen.findByText(
        "BEM is closest to people: its mean distance is 5.0 points over 2 systems in 2 projects.",
      ),
    ).toBeInTheDocument();
    const table = within(screen.getByRole("table", { name: "Scores of systems in the chosen projects" }));
    expect(table.getAllByText("closest")).toHaveLength(2);
    expect(screen.getByText("People have not decided all answers yet in TriviaQA.")).toBeInTheDocument();
    expect(
      screen.getByText(
        /^TriviaQA: People have judged 1 of 2 questions so far. Answers to the other questions are scored by exact/,
      ),
    ).toBeInTheDocument();
  });

  it("lets published systems stand below, with people and in no distance", async () => {
    const published = {
      project: "tq",
      name: "GPT-3 of the paper",
      measure: "bem",
      value: 0.62,
      n: null,
      about: "",
      dataset: "",
      source: "Si et al.",
    };
    const people = { ...published, measure: "human", value: 0.7 };
    open("/compare?projects=nq,tq&judges=bem", { ...FOUND, published: [published, people] });
    const table = await screen.findByRole("table", { name: "Scores of systems in the chosen projects" });
    const row = within(table).getByRole("row", { name: /GPT-3 of the paper/ });
    expect(row).toHaveTextContent("GPT-3 of the paperpublishedTriviaQA–62.070.0");
    expect(within(row).getAllByTitle("Published: Si et al.")).toHaveLength(2);
    expect(within(table).getAllByText("closest")).toHaveLength(2);
    expect(screen.getByText(/mean distance is 5.0 points over 2 systems in 2 projects/)).toBeVisible();
  });

  it("keeps the chosen judges in the address", async () => {
    const router = open("/compare?projects=nq,tq");
    const choice = within(await screen.findByRole("group", { name: "Judges" }));
    await userEvent.click(choice.getByRole("checkbox", { name: "BEM" }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ judges: "em" }));
    const table = screen.getByRole("table", { name: "Scores of systems in the chosen projects" });
    expect(within(table).queryByText("BEM")).toBeNull();
  });
});
