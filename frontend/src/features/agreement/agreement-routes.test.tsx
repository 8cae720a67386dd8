import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Figure } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { FIGURES, makeSlice, ONE_PAIR, startAgreement } from "../../test/agreement-cast";
import { openApp } from "../../test/open-app";

function squaresThatTell(grid: HTMLElement, words: RegExp): HTMLElement[] {
  return within(grid)
    .getAllByRole("gridcell")
    .filter(({ dataset }) => words.test(dataset["told"] ?? ""));
}

describe("the agreement page", () => {
  it("says in words how far annotators agree, first without and then with the interval", async () => {
    const calls = startAgreement();
    openApp("/nq/agreement");
    expect(await screen.findByText(/90.0% of 40 answers and disagreed on 4\..*κ = 0.40/)).toBeVisible();
    expect(await screen.findByText(/κ = 0.40, 95% interval 0.30 to 0.50: moderate/)).toBeVisible();
    const reads = calls.filter(({ path }) => path.endsWith("/agreement")).map(({ query }) => query);
    expect(reads).toEqual([
      expect.stringContaining("intervals=false"),
      expect.stringContaining("intervals=true"),
    ]);
    expect(
      screen.getByRole("link", { name: "View the 4 answers on which first-round annotators disagree" }),
    ).toHaveAttribute("href", "/nq/answers?state=disagreement&missing_votes=own-category&labels=as-labelled");
  });

  it("cuts the study by what the address says, and writes a choice into it", async () => {
    const calls = startAgreement();
    openApp("/nq/agreement?by=rater&missing=drop");
    const by = await screen.findByRole("combobox", { name: "Breakdown by" });
    expect(by).toHaveValue("rater");
    expect(calls.filter(({ path }) => path.endsWith("/slices"))[0]?.query).toMatch(
      /missing_votes=drop.*by=rater/,
    );
    await userEvent.selectOptions(by, "question_type");
    const table = await screen.findByRole("region", { name: "Agreement by question word" });
    expect(within(table).getByRole("rowheader", { name: "who" })).toBeVisible();
    expect(calls.at(-1)?.query).toContain("by=question_type");
    const row = within(table).getByRole("row", { name: /who/ });
    expect(within(row).getByRole("link", { name: "4" })).toHaveAttribute(
      "href",
      "/nq/answers?state=disagreement&missing_votes=drop&labels=as-labelled&by=question_type&part=who",
    );
  });

  it("marks in words where κ is low because one label is rare", async () => {
    startAgreement({ report: { is_paradox: true }, slices: [makeSlice("who", { is_paradox: true })] });
    openApp("/nq/agreement");
    expect(await screen.findByText("κ is low because one label is rare")).toBeVisible();
    const row = await screen.findByRole("row", { name: /who/ });
    expect(row).toHaveTextContent("κ is low: one label is rare");
  });

  it("says in words what nobody judged twice, instead of five undefined numbers", async () => {
    const nothing = makeFigure(null, { why: "no_two_votes" });
    startAgreement({
      report: { figures: { ...FIGURES.figures, observed_agreement: nothing, fleiss_kappa: nothing } },
    });
    openApp("/nq/agreement");
    expect(
      await screen.findByText(/cannot be computed from .* No answer has votes from two annotators/),
    ).toBeVisible();
    expect(screen.queryByText("Undefined")).toBeNull();
    expect(screen.queryByRole("heading", { name: "Coefficients" })).toBeNull();
  });

  it("counts a few answers instead of grading them", async () => {
    startAgreement({ report: { items: 4, disagreements: 1 } });
    openApp("/nq/agreement");
    expect(await screen.findByText(/On 3 of 4 answers, all annotators gave the same label/)).toBeVisible();
  });

  it("reads labels in three ways where the protocol has a label between", async () => {
    const calls = startAgreement({
      report: { label_views: ["as-labelled", "definitely", "possibly"], raters: 3 },
    });
    openApp("/nq/agreement");
    await userEvent.selectOptions(
      await screen.findByRole("combobox", { name: "Label grouping" }),
      "definitely",
    );
    expect(calls.some(({ query }) => query.includes("labels=definitely&"))).toBe(true);
    expect(screen.getByRole("region", { name: "Agreement by label grouping" })).toBeVisible();
    expect(screen.getByText(/Pairs of annotators gave the same label/)).toBeVisible();
    const readings = screen.getByRole("region", { name: "Agreement by label grouping" });
    const links = await within(readings).findAllByRole("link", { name: "4" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      ["as-labelled", "definitely", "possibly"].map(
        (labels) => `/nq/answers?state=disagreement&missing_votes=own-category&labels=${labels}`,
      ),
    );
  });

  it("compares a check about the question instead of answers", async () => {
    const checks = [{ key: "ambiguous", text: "Could it have several answers?" }];
    const calls = startAgreement({ report: { checks } });
    openApp("/nq/agreement");
    const choice = await screen.findByRole("combobox", { name: "Compare" });
    await userEvent.selectOptions(choice, "ambiguous");
    expect(calls.some(({ query }) => query.includes("check=ambiguous"))).toBe(true);
    expect(screen.queryByRole("combobox", { name: "Missing votes" })).toBeNull();
    const row = await screen.findByRole("row", { name: /who/ });
    expect(within(row).getByRole("link", { name: "4" })).toHaveAttribute(
      "href",
      "/nq/answers?state=disagreement&check=ambiguous&by=question_type&part=who",
    );
  });

  it("shows every two of three annotators as a grid", async () => {
    const pair = {
      items: 9,
      disagreements: 2,
      is_paradox: false,
    };
    const kappa = (cohen_kappa: Figure) => ({ observed_agreement: makeFigure(0.8), cohen_kappa });
    startAgreement({
      report: {
        pairs: [
          { ...pair, a: "R-1", b: "R-2", figures: kappa(makeFigure(0.5, { low: 0.31, high: 0.66 })) },
          { ...pair, a: "R-1", b: "R-3", figures: kappa(makeFigure(null, { why: "one_label" })) },
        ],
      },
    });
    openApp("/nq/agreement");
    const grid = await screen.findByRole("grid", { name: "Cohen’s κ for each pair of annotators" });
    expect(within(grid).getAllByText("0.50")).toHaveLength(2);
    expect(within(grid).getAllByText("undefined")).toHaveLength(2);
    // What the mouse finds is read out, too.
    const [row] = within(grid).getAllByRole("row").slice(1);
    expect(row).toHaveTextContent(
      "R-10.50, 95% interval 0.31 to 0.66.undefined, Every vote is for the same label, so agreement beyond chance",
    );
    expect(squaresThatTell(grid, /: 9 answers\. 95% interval 0\.31 to 0\.66\.$/)).toHaveLength(2);
    expect(within(grid).getAllByRole("gridcell", { name: "no shared answers" })).toHaveLength(2);
    const table = screen.getByRole("table", { name: "Agreement for each pair of annotators" });
    const links = [
      within(grid).getAllByRole("link", { name: "0.50" })[0],
      within(table).getAllByRole("link", { name: "2" })[0],
    ];
    expect(links.map((link) => link?.getAttribute("href"))).toEqual(
      Array(2).fill(
        "/nq/answers?state=disagreement&missing_votes=own-category&labels=as-labelled&raters=R-1%7ER-2",
      ),
    );
  });

  it("leads adjudicators to no answers chosen by annotator", async () => {
    const project = { role: "adjudicator" } as const;
    startAgreement({ project, report: { pairs: [{ ...ONE_PAIR, disagreements: 2 }] } });
    openApp("/nq/agreement?by=rater");
    expect(await screen.findByRole("rowheader", { name: "who" })).toBeVisible();
    const table = screen.getByRole("table", { name: "Agreement for each pair of annotators" });
    expect(within(table).queryByRole("link")).toBeNull();
    const parts = screen.getByRole("region", { name: "Agreement by annotator" });
    expect(within(parts).queryByRole("link")).toBeNull();
  });

  it("counts questions in the grid where a check is compared", async () => {
    const pair = { ...ONE_PAIR, items: 9, disagreements: 2 };
    startAgreement({
      report: {
        check_key: "ambiguous",
        checks: [{ key: "ambiguous", text: "Could it have several answers?" }],
        pairs: [pair, { ...pair, b: "R-3" }],
      },
    });
    openApp("/nq/agreement?check=ambiguous");
    const grid = await screen.findByRole("grid", { name: "Cohen’s κ for each pair of annotators" });
    expect(screen.getByText("Each pair judged up to 9 questions in common.")).toBeVisible();
    expect(squaresThatTell(grid, /: 9 questions\./)).toHaveLength(4);
    expect(within(grid).getAllByRole("gridcell", { name: "no shared questions" })).toHaveLength(2);
  });

  it("says that few answers are better counted, and gives them no interval", async () => {
    startAgreement({ report: { items: 2 }, slices: [makeSlice("who", { items: 2 })] });
    openApp("/nq/agreement");
    expect(await screen.findByText("Only 2 answers")).toBeVisible();
    expect(screen.getAllByText("Too few items for an interval.")[0]).toBeVisible();
    expect(await screen.findByRole("rowheader", { name: "who" })).toBeVisible();
    expect(screen.queryByText(/\d to \d/)).toBeNull();
  });

  it("says so where an interval has no width, as annotators never differ", async () => {
    const why = "This figure does not vary across questions, so it has no interval.";
    startAgreement({
      report: { figures: { ...FIGURES.figures, fleiss_kappa: makeFigure(1, { why: "never_varies" }) } },
    });
    openApp("/nq/agreement");
    expect(await screen.findByText(why)).toBeVisible();
  });

  it("says why κ is undefined where every vote is the same label", async () => {
    const fleiss_kappa = makeFigure(null, { why: "one_label" });
    startAgreement({ report: { figures: { ...FIGURES.figures, fleiss_kappa } } });
    openApp("/nq/agreement");
    expect(
      await screen.findByText(/disagreed on 4. Every vote is for the same label, so agreement beyond chance/),
    ).toBeVisible();
  });

  it("says what will be here while nobody has judged", async () => {
    startAgreement({ report: { items: 0 } });
    openApp("/nq/agreement");
    expect(await screen.findByText("Agreement among annotators appears here")).toBeVisible();
  });

  it("gives every two annotators and every label an interval, or says why there is none", async () => {
    const why = "An interval needs at least two questions.";
    const bounded = {
      ...ONE_PAIR,
      figures: {
        observed_agreement: makeFigure(0.9, { low: 0.8, high: 0.97 }),
        cohen_kappa: makeFigure(0.41, { why: "too_few_questions" }),
      },
    };
    const correct = makeFigure(0.75, { low: 0.6, high: 0.85 });
    startAgreement({
      report: { pairs: [bounded], label_shares: { ...FIGURES.label_shares, correct } },
    });
    openApp("/nq/agreement");
    const table = await screen.findByRole("table", { name: "Agreement for each pair of annotators" });
    expect(table).toHaveTextContent("90.0, 95% interval 80.0 to 97.0");
    expect(table).toHaveTextContent(`0.41, no interval: ${why}`);
    expect(screen.getByText(/60 · 75.0%/).closest("li")).toHaveTextContent("60.0% to 85.0%");
  });
});
