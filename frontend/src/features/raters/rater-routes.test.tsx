import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Rater, RaterDetail, RaterFigure } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE, makeSetup, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function share(hits: number, total: number): RaterFigure {
  const words = `${hits} of ${total}, 57–98%`;
  return { value: hits / total, low: 0.57, high: 0.98, words, tally: { hits, total } };
}

function words(text: string): RaterFigure {
  return { value: null, low: null, high: null, words: text, tally: null };
}

const NONE = { ...words("No answer was shown twice."), tally: { hits: 0, total: 0 } };

function makeRater(id: string, more: Partial<Rater> = {}): Rater {
  return {
    id,
    pseudonym: `R-${id}`,
    name: `Annotator ${id}`,
    state: "active",
    judged: 9,
    skipped: 1,
    last_at: null,
    pace: { median_seconds: 6.5, usual_seconds: 7, fast: share(0, 9) },
    with_decisions: share(9, 9),
    without_own: share(8, 9),
    kappa: words("Fewer than eight answers were also judged by somebody else."),
    dawid_skene: share(8, 9),
    one_coin: share(8, 9),
    self_agreement: NONE,
    self_kappa: words("No answer was shown twice."),
    known_answers: NONE,
    signs: [],
    ...more,
  };
}

const DETAIL: RaterDetail = {
  ...makeRater("a", { signs: ["run"] }),
  signature: "raters|rater:a|seed:1",
  labels: ["correct", "incorrect"],
  confusion: [
    [5, 1],
    [0, 3],
  ],
  run: { label: "correct", longest: 7, usual: 3, high: 5, p_value: 0.001, stands_out: true },
  first_label: { own: share(5, 9), others: share(6, 9), p_value: null, stands_out: false },
  drift: {
    first: words("3 of 4, too few to give a percentage."),
    last: words(""),
    p_value: null,
    stands_out: false,
  },
  periods: [],
  known_answers: share(8, 9),
  known_misses: [
    {
      answer: "x2",
      question: "capital of spain",
      text: "Seville",
      label: "correct",
      known: "incorrect",
      at: "2026-11-20T11:00:00Z",
    },
  ],
  difference_count: 1,
  differences: [
    {
      answer: "x1",
      question: "capital of france",
      text: "Lyon",
      label: "incorrect",
      without: "correct",
      at: "2026-11-20T10:00:00Z",
    },
  ],
};

describe("annotators one by one", () => {
  it("says few votes in words and each share with its cases", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/raters": {
        signature: "raters|seed:1",
        fewest: 8,
        raters: [makeRater("a"), makeRater("b", { signs: ["run"] })],
      },
    });
    openApp("/nq/agreement/raters");
    expect(
      await screen.findByText(/2 annotators have judged answers. 1 annotator has warnings/),
    ).toBeVisible();
    const row = screen.getByRole("row", { name: /Annotator a/ });
    expect(row).toHaveTextContent("8 of 9, 57–98%");
    expect(row).toHaveTextContent("Fewer than eight answers");
    expect(screen.getByRole("row", { name: /Annotator b/ })).toHaveTextContent("long run");
    // Nobody was shown an answer twice, so there is no such column.
    expect(screen.queryByText("Self-agreement")).toBeNull();
  });

  it("opens an annotator down to the answers on which they differ", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/raters": { signature: "raters|seed:1", fewest: 8, raters: [makeRater("a")] },
      "GET /api/projects/nq/raters/a": DETAIL,
    });
    openApp("/nq/agreement/raters");
    await userEvent.click(await screen.findByRole("link", { name: "Annotator a" }));
    expect(await screen.findByRole("heading", { name: "Annotator a", level: 1 })).toBeVisible();
    expect(screen.getByText(/Longest run: “Correct” 7 times in a row/)).toBeVisible();
    expect(screen.getByText("Unusual")).toBeVisible();
    const missed = screen.getByRole("region", { name: "Missed known answers" });
    expect(within(missed).getByRole("link", { name: "Seville" })).toHaveAttribute("href", "/nq/answers/x2");
    expect(screen.queryByText("κ with self")).toBeNull();
    const differing = screen.getByRole("region", {
      name: "Answers on which this annotator disagrees with others",
    });
    expect(within(differing).getByRole("link", { name: "Lyon" })).toHaveAttribute("href", "/nq/answers/x1");
  });

  it("pauses an annotator from their own page, and lets them go on", async () => {
    let state: Rater["state"] = "active";
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/raters/a": () => ({ ...DETAIL, state }),
      "POST /api/projects/nq/work/raters/a/pause": () => {
        state = "paused";
        return {};
      },
      "POST /api/projects/nq/work/raters/a/resume": {},
    });
    openApp("/nq/agreement/raters/a");
    await userEvent.click(await screen.findByRole("button", { name: "Pause Annotator a" }));
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(bodiesOf(calls, "POST")[0]).toEqual({ takes_back: false });
    await userEvent.click(await screen.findByRole("button", { name: "Resume work for Annotator a" }));
    expect(await screen.findByText("Annotator a can receive work again.")).toBeVisible();
  });

  it("says what will be here while nobody has judged", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/raters": { fewest: 8, raters: [] },
      "GET /api/projects/nq/setup": makeSetup({ annotators_present: 0, is_ready: false }),
    });
    openApp("/nq/agreement/raters");
    expect(await screen.findByText("No annotator statistics yet")).toBeVisible();
    expect(await screen.findByRole("link", { name: "Invite 3 annotators" })).toHaveAttribute(
      "href",
      "/nq/people?invite=3",
    );
  });

  it("is not offered to adjudicators", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq": { ...PROJECT, role: "adjudicator" },
      "GET /api/projects/nq/agreement": {
        items: 0,
        pairs: [],
        interval: {},
        words: {},
        distribution: {},
        checks: [],
        label_views: [],
        signature: "agreement|seed:1",
      },
    });
    openApp("/nq/agreement");
    expect(await screen.findByRole("heading", { name: "Agreement" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "By annotator" })).toBeNull();
  });
});
