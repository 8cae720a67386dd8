import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { FilterChoices, Sample, Setup } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeSetup, UNEVEN_COVERAGE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const SAMPLE: Sample = {
  ...{ questions: 3610, predictions: 36702, answers: 12345, sampled: 3610, judged: 0 },
  ...{ method: "all", options: {} },
  to_judge: { every: 12345, common: 1900, judged: 0 },
  matching: { every: 2469, common: 380, judged: 0 },
};
const UNEVEN = makeSetup({
  coverage: UNEVEN_COVERAGE,
  annotators_present: 0,
  is_ready: false,
});
const PARTS: FilterChoices = {
  datasets: [],
  tags: [],
  has_ambiguous: false,
  knows_references: false,
  has_sizes: false,
  has_rest: false,
};

function sampleServer(
  sample: Sample,
  setup: Setup,
  parts: Partial<FilterChoices> = {},
  imports: unknown = [],
) {
  let current = sample;
  return startFakeServer({
    ...BASE,
    "GET /api/projects/nq/sample": () => current,
    "GET /api/projects/nq/imports": imports,
    "GET /api/projects/nq/setup": setup,
    "GET /api/projects/nq/filters": { ...PARTS, ...parts },
    "POST /api/projects/nq/sample": ({ body }: { body: unknown }) =>
      (current = { ...sample, sampled: 301, ...(body as Partial<Sample>) }),
  });
}

function drawn(calls: ReturnType<typeof startFakeServer>) {
  return calls.find(({ method }) => method === "POST")?.body;
}

const use = async () => userEvent.click(screen.getByRole("button", { name: "Use these questions" }));

describe("the questions to judge", () => {
  it("are chosen once no import is being saved any more, of all that it saved", async () => {
    const states = ["applying", "applied"] as const;
    let asked = 0;
    sampleServer(SAMPLE, UNEVEN, {}, () => [{ id: "i1", state: states[Math.min(asked++, 1)] }]);
    openApp("/nq/sample");
    expect(await screen.findByText("An import is being saved")).toBeVisible();
    expect(screen.queryByRole("radio")).not.toBeInTheDocument();
    expect(
      await screen.findByText(/^Compares all systems fairly\. 301/, {}, { timeout: 3000 }),
    ).toBeVisible();
  });

  it("can be those that every system answered, where some answered fewer", async () => {
    const calls = sampleServer(SAMPLE, UNEVEN);
    openApp("/nq/sample");
    expect(await screen.findByText("few and zero answer only 301 of 3,610 questions.")).toBeVisible();
    // Nobody has chosen yet, and these make systems comparable.
    expect(screen.getByRole("radio", { name: /every system answered/ })).toBeChecked();
    const others = screen.getByText("Other ways to choose questions").closest("details");
    expect(others).not.toHaveAttribute("open");
    expect(others).toContainElement(screen.getByRole("radio", { name: /Random sample/ }));
    expect(screen.getByRole("radio", { name: /every system answered Recommended/ })).toBeChecked();
    expect(
      screen.getByRole("radio", { name: /^All questions.* People judge these unless you choose others\.$/ }),
    ).not.toBeChecked();
    // Nobody has chosen, so that nothing chosen is given up.
    expect(screen.queryByText(/Not saved yet/)).toBeNull();
    await use();
    expect(await screen.findByText("301 questions selected.")).toBeVisible();
    expect(drawn(calls)).toEqual({ method: "common" });
    expect(screen.getByRole("radio", { name: /every system answered/ })).toBeChecked();
    expect(screen.getByRole("radio", { name: /every system answered Selected/ })).toBeChecked();
    expect(screen.queryByText(/Not saved yet/)).toBeNull();
    expect(screen.queryByText(/systems answer/)).toBeNull();
    const next = screen.getByRole("link", { name: "Invite 3 annotators" });
    expect(next).toHaveAttribute("href", "/nq/people?invite=3");
  });

  it("are no longer remarked on where every system answers the chosen ones", async () => {
    const voted: Sample = { ...SAMPLE, method: "votes", sampled: 301, judged: 301 };
    sampleServer(voted, makeSetup({ coverage: { ...UNEVEN.coverage, uneven: 0 }, sample_method: "votes" }));
    openApp("/nq/sample");
    expect(await screen.findByRole("radio", { name: /votes.* Selected/ })).toBeChecked();
    expect(screen.queryByText(/systems answer/)).toBeNull();
  });

  it("say how many answers people would judge", async () => {
    sampleServer({ ...SAMPLE, judged: 301, to_judge: { every: 12345, common: 1900, judged: 40 } }, UNEVEN);
    openApp("/nq/sample");
    expect(
      await screen.findByText(
        "3,610 questions with 12,345 answers left to judge: about 69 hours for each of 3 annotators. People judge these unless you choose others.",
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText(
        "Compares all systems fairly. 301 questions with 1,900 answers left to judge: about 11 hours for each of 3 annotators. Margin of error of each score: up to ±6 points, so systems with close scores may not differ significantly.",
      ),
    ).toBeVisible();
    expect(
      screen.getByText(
        /^Times assume 2 votes for each answer at 30 seconds each\. Tie-breaks take extra time\.$/,
      ),
    ).toBeInTheDocument();
    await userEvent.click(screen.getByText("Other ways to choose questions"));
    expect(screen.getByText(/votes or decisions; 40 answers are left to judge\.$/)).toBeVisible();
    // Drawn from what makes systems comparable, unless somebody wants all.
    expect(
      screen.getByText(
        "From the 301 questions answered by all systems. 100 questions would have about 631 answers left to judge: about 4 hours for each of 3 annotators. Margin of error of each score: up to ±10 points, so systems with close scores may not differ significantly.",
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: /Random sample/ }));
    await userEvent.selectOptions(screen.getByLabelText("Sample from"), "All questions");
    expect(screen.getByText(/100 questions would have about 342 answers left to judge/)).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Number of questions"));
    expect(screen.queryByText(/would have about/)).toBeNull();
    await userEvent.type(screen.getByLabelText("Number of questions"), "361");
    expect(screen.getByText(/361 questions would have about 1,235 answers/)).toBeVisible();
  });

  it("are drawn from those that every system answered, and say at once that this is saved", async () => {
    const calls = sampleServer(SAMPLE, UNEVEN);
    openApp("/nq/sample");
    await userEvent.click(await screen.findByText("Other ways to choose questions"));
    await userEvent.click(screen.getByRole("radio", { name: /Random sample/ }));
    await userEvent.clear(screen.getByLabelText("Number of questions"));
    await userEvent.type(screen.getByLabelText("Number of questions"), "50");
    expect(screen.getByText(/do not apply to other questions/)).toBeVisible();
    await use();
    expect(drawn(calls)).toEqual({
      method: "seed",
      size: 50,
      seed: 1,
      dataset: "",
      tag: "",
      common: true,
    });
    expect(await screen.findByText(/^301 of 3,610 questions selected\.$/)).toBeVisible();
  });

  it("need no confirmation once people judge all of them", async () => {
    sampleServer({ ...SAMPLE, judged: 301 }, makeSetup());
    openApp("/nq/sample");
    expect(await screen.findByRole("radio", { name: /All questions/ })).toBeChecked();
    expect(screen.queryByRole("button", { name: "Use these questions" })).toBeNull();
    await userEvent.click(screen.getByRole("radio", { name: /Random sample/ }));
    expect(screen.getByRole("button", { name: "Use these questions" })).toBeVisible();
  });

  it("lead nowhere further once people can judge", async () => {
    sampleServer(SAMPLE, makeSetup());
    openApp("/nq/sample");
    await userEvent.click(await screen.findByRole("radio", { name: /Random sample/ }));
    await use();
    expect(await screen.findByText("301 questions selected.")).toBeVisible();
    expect(screen.queryByRole("link", { name: /Invite/ })).toBeNull();
    expect(screen.queryByText(/systems answer/)).toBeNull();
  });

  it("can be drawn from a data set or a tag, where there are some", async () => {
    const calls = sampleServer(SAMPLE, makeSetup(), { datasets: ["NQ", "TQ"], tags: ["odd"] });
    openApp("/nq/sample");
    await userEvent.click(await screen.findByRole("radio", { name: /Random sample/ }));
    await userEvent.clear(screen.getByLabelText("Number of questions"));
    await userEvent.type(screen.getByLabelText("Number of questions"), "50");
    await userEvent.selectOptions(screen.getByLabelText("Data set"), "TQ");
    expect(screen.getByText(/do not apply to other questions/)).toBeVisible();
    await use();
    await screen.findByText("301 questions selected.");
    expect(drawn(calls)).toEqual({ method: "seed", size: 50, seed: 1, dataset: "TQ", tag: "" });
  });

  it("are only offered by what there is", async () => {
    sampleServer(
      SAMPLE,
      makeSetup({
        coverage: { systems: 1, behind: 0, behind_names: [], fewest: 0, most: 0, common: 9, uneven: 0 },
      }),
    );
    openApp("/nq/sample");
    await screen.findByRole("radio", { name: /All questions/ });
    expect(screen.getAllByRole("radio")).toHaveLength(2);
  });

  it("name a sample that the planner drew, and how it may be replaced", async () => {
    const planned: Sample = { ...SAMPLE, sampled: 120, method: "strata", options: { points: 2, size: 120 } };
    const calls = sampleServer(planned, makeSetup());
    openApp("/nq/sample");
    expect(await screen.findByRole("radio", { name: /Planned sample/ })).toBeChecked();
    expect(screen.getByText(/planner sampled these 120 questions for scores within ±2/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Use these questions" })).toBeNull();
    await userEvent.click(screen.getByRole("radio", { name: /All questions/ }));
    await use();
    await screen.findByText("301 questions selected.");
    expect(drawn(calls)).toEqual({ method: "all" });
  });

  it("say about how much time each way of judging less saves or costs", async () => {
    sampleServer(SAMPLE, UNEVEN);
    openApp("/nq/sample");
    await userEvent.click(await screen.findByText(/^Ways to reduce the work/));
    // Said before the fold is opened, too.
    expect(
      screen.getByText(
        "Ways to reduce the work: about 5 hours each with a sample of 151 questions (scores within ±8 points)",
      ),
    ).toBeVisible();
    const waysOpen = screen.getByText(/^Ways to reduce the work/).closest("details");
    expect(waysOpen).toHaveTextContent(
      "Judge half as many questions, in a random sample: saves about 5 hours for each of 3 annotators, but scores are less precise (±8 points).",
    );
    expect(waysOpen).toHaveTextContent(
      "Count answers that match a gold answer as correct: about 380 of 1,900, which saves about 2 hours for each of 3 annotators.",
    );
    expect(waysOpen).toHaveTextContent(
      "Let an automatic judge settle answers: people first judge about 300 answers (about 2 hours for each of 3 annotators), which shows how many of the others the judge can settle.",
    );
    // Of the choice on the page, saved or not.
    await userEvent.click(screen.getByRole("radio", { name: /All questions/ }));
    expect(waysOpen).toHaveTextContent("about 2,469 of 12,345");
    await userEvent.click(screen.getByRole("radio", { name: /Random sample/ }));
    expect(waysOpen).toHaveTextContent("about 126 of 631");
    expect(waysOpen).toHaveTextContent(/Judge half as many questions.* \(±14 points\)/);
  });

  it("sample half as many questions by one click, with the sample in sight", async () => {
    const calls = sampleServer(SAMPLE, UNEVEN);
    openApp("/nq/sample");
    await userEvent.click(await screen.findByText(/^Ways to reduce the work/));
    await userEvent.click(screen.getByRole("button", { name: "Sample 151 questions" }));
    expect(screen.getByRole("radio", { name: /Random sample/ })).toBeChecked();
    expect(screen.getByText("Other ways to choose questions").closest("details")).not.toHaveAttribute("open");
    await use();
    await screen.findByText(/questions selected/);
    expect(drawn(calls)).toMatchObject({ method: "seed", size: 151, common: true });
  });

  it("say that little work is not saved, and what counts already", async () => {
    const few = { every: 500, common: 500, judged: 0 };
    sampleServer({ ...SAMPLE, to_judge: few, matching: null }, makeSetup());
    openApp("/nq/sample");
    await userEvent.click(await screen.findByText(/^Ways to reduce the work/));
    expect(
      screen.getByText("Answers that match a gold answer already count as correct without being judged."),
    ).toBeVisible();
    expect(
      screen.getByText(
        /people first judge about 300 answers, so with only 500 to judge, this saves hardly any time/,
      ),
    ).toBeVisible();
  });

  it("say of a part what it saves once it is saved", async () => {
    const parts = { datasets: ["NQ", "TQ"] };
    const sample: Sample = { ...SAMPLE, method: "filter", options: { dataset: "NQ", tag: "" }, sampled: 900 };
    sampleServer(sample, makeSetup({ sampled: 900, sample_method: "filter", to_judge: 3000 }), parts);
    openApp("/nq/sample");
    await userEvent.click(await screen.findByText(/^Ways to reduce the work/));
    expect(screen.getByText(/about 600 of 3,000/)).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Data set"), "TQ");
    expect(screen.getAllByText(/Assay estimates this once you save your choice/)).toHaveLength(3);
  });

  it("say why they cannot be drawn", async () => {
    const refusal = new FakeError(400, "invalid", "The sample must contain between 1 and 9 questions.");
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/imports": [],
      "GET /api/projects/nq/sample": SAMPLE,
      "GET /api/projects/nq/filters": PARTS,
      "POST /api/projects/nq/sample": refusal,
    });
    openApp("/nq/sample");
    await screen.findByRole("radio", { name: /All questions/ });
    await use();
    expect(await screen.findByRole("alert")).toHaveTextContent("between 1 and 9");
  });

  it("come after an import", async () => {
    sampleServer({ ...SAMPLE, questions: 0, sampled: 0 }, makeSetup());
    openApp("/nq/sample");
    expect(await screen.findByText("No questions yet")).toBeVisible();
  });
});
