import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Member } from "../api/contract";
import { startFakeServer } from "../test/fake-server";
import { BASE } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const ROOT = "/api/projects/nq";
const ADA: Member = {
  public_id: "m1",
  username: "ada",
  name: "Ada",
  role: "annotator",
  state: "active",
  pseudonym: "R-1",
  group: "",
  is_imported: false,
  judged_count: 12,
  joined_at: "2026-11-01T10:00:00Z",
};

function peopleServer(members: readonly Member[]) {
  return startFakeServer({
    ...BASE,
    [`GET ${ROOT}/members`]: members,
    [`GET ${ROOT}/invitations`]: [],
    [`GET ${ROOT}/systems`]: [],
    [`PATCH ${ROOT}/members/m1`]: { ...ADA, state: "paused" },
    [`POST ${ROOT}/work/raters/m1/pause`]: {},
    [`POST ${ROOT}/work/raters/m1/resume`]: {},
  });
}

function changesIn(calls: ReturnType<typeof startFakeServer>) {
  return calls.filter(({ method }) => method !== "GET").map(({ path, body }) => ({ path, body }));
}

describe("the people of a project", () => {
  it("are paused only after saying what becomes of the sheets in hand", async () => {
    const calls = peopleServer([ADA]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Whether Ada takes part"), "paused");
    expect(await screen.findByRole("dialog", { name: "Pause Ada" })).toBeVisible();
    expect(changesIn(calls)).toEqual([]);
    await userEvent.selectOptions(screen.getByLabelText("Sheets in hand"), "are taken back at once");
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText("Ada is paused.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/work/raters/m1/pause`, body: { takes_back: true } }]);
  });

  it("go on at once", async () => {
    const calls = peopleServer([{ ...ADA, state: "paused" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Whether Ada takes part"), "active");
    expect(await screen.findByText("Ada is given work again.")).toBeVisible();
    expect(changesIn(calls).map(({ path }) => path)).toEqual([`${ROOT}/work/raters/m1/resume`]);
  });

  it("just change where they hold no sheets", async () => {
    const calls = peopleServer([{ ...ADA, role: "adjudicator" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Whether Ada takes part"), "paused");
    expect(await screen.findByText("Ada was changed.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/members/m1`, body: { state: "paused" } }]);
  });
});
