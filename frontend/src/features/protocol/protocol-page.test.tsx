import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const SPEC = {
  preset: "openqa-eval",
  labels: [
    { key: "correct", name: "Correct", credit: "definite" },
    { key: "incorrect", name: "Incorrect", credit: "none" },
  ],
  raters_per_answer: 2,
  decision_rule: "majority",
  tie_break: "third_rater",
  most_raters: 5,
  gold_shown: false,
  gold_equal: "judged",
  gold_among_answers: false,
  passages_shown: "none",
  question_checks: [],
  checks_first: false,
  evidence_required_for: [],
  comment_required_for: [],
  sheet_size: 20,
  fill_tie_break_sheets: true,
  pool_within_groups: false,
  guidelines: "Judge well.",
  a_field_of_tomorrow: true,
};
const SERVER = {
  ...BASE,
  "GET /api/presets": [],
  "GET /api/projects/nq/protocol": { number: 1, content_hash: "aaaa", frozen_at: null, spec: SPEC },
  "GET /api/projects/nq/protocol/versions": [],
  "GET /api/projects/nq/protocol/readers": [
    { public_id: "m1", name: "Anna", pseudonym: "R-1", number: 1, read_at: null, is_up_to_date: false },
    { public_id: "m2", name: "Bo", pseudonym: "R-2", number: null, read_at: null, is_up_to_date: false },
  ],
  "POST /api/projects/nq/protocol/guidelines-preview": { html: "<p>Judge well.</p>" },
};

describe("the protocol", () => {
  it("says what a change means before it is kept, and keeps what it does not know", async () => {
    const calls = startFakeServer({
      ...SERVER,
      "POST /api/projects/nq/protocol/foresee": {
        is_same: false,
        number: 2,
        effects: ["14 decided answers are open again."],
      },
      "PUT /api/projects/nq/protocol": { number: 2, content_hash: "bbbb", frozen_at: null, spec: SPEC },
    });
    openApp("/nq/protocol");
    const raters = await screen.findByLabelText("Annotators per answer");
    const untestable =
      /^To test later whether a judge can replace an annotator .*, you need at least 3 annotators who judge the same answers, so 2 annotators in all are too few/;
    expect(screen.getByText(untestable)).toBeVisible();
    expect(
      screen.getByText(/^If no annotator is left to ask, a lead or an adjudicator decides/),
    ).toBeVisible();
    await userEvent.clear(raters);
    await userEvent.type(raters, "3");
    expect(screen.queryByText(/test later/)).toBeNull();
    await userEvent.click(screen.getByLabelText(/as correct without judging/));
    await userEvent.click(screen.getByText("Add label"));
    await userEvent.type(screen.getByLabelText("Label 3"), "No");
    expect(screen.queryByText(/^Put version/)).toBeNull();
    await userEvent.click(screen.getByText("Preview changes"));
    expect(await screen.findByText("14 decided answers are open again.")).toBeVisible();
    await userEvent.click(screen.getByText("Publish version 2"));
    const kept = bodiesOf(calls, "PUT")[0] as { spec: typeof SPEC };
    expect(kept).toMatchObject({
      seen_hash: "aaaa",
      spec: { raters_per_answer: 3, gold_equal: "correct", a_field_of_tomorrow: true },
    });
    expect(kept.spec.labels[2]).toEqual({ key: "no", name: "No", credit: "missing" });
  });

  it("says who has read which version of the guidelines", async () => {
    startFakeServer(SERVER);
    openApp("/nq/protocol");
    expect(await screen.findByRole("row", { name: /Anna Version 1/ })).toBeVisible();
    expect(screen.getByRole("row", { name: /Bo None/ })).toBeVisible();
  });

  it("complains at the field", async () => {
    startFakeServer({
      ...SERVER,
      "POST /api/projects/nq/protocol/foresee": new FakeError(400, "invalid", "Too many.", {
        fields: { sheet_size: ["A sheet can contain one to twenty answers."] },
      }),
    });
    openApp("/nq/protocol");
    await userEvent.click(await screen.findByText("Preview changes"));
    await screen.findByText("A sheet can contain one to twenty answers.");
    expect(screen.getByLabelText("Maximum answers per sheet")).toBeInvalid();
  });
});
