import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Member } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

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
  unblinded: false,
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

describe("the links of a project", () => {
  it("are shown as ended where their maker may not invite now, and can still be revoked", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [
        {
          public_id: "v1",
          role: "annotator",
          label: "for Bo",
          group: "",
          created_at: "2026-11-01T10:00:00Z",
          expires_at: "2999-01-01T00:00:00Z",
          accepted_at: null,
          unusable_reason: "ended",
        },
      ],
    });
    openApp("/nq/people");
    expect(await screen.findByText("Ended: its creator may no longer invite people")).toBeVisible();
    expect(screen.getByRole("button", { name: "Revoke link" })).toBeVisible();
  });
});

function changesIn(calls: ReturnType<typeof startFakeServer>) {
  return calls.filter(({ method }) => method !== "GET").map(({ path, body }) => ({ path, body }));
}

describe("the people of a project", () => {
  it("are paused only after saying what becomes of the sheets in hand", async () => {
    const calls = peopleServer([ADA]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Status of Ada"), "paused");
    expect(await screen.findByRole("dialog", { name: "Pause Ada" })).toBeVisible();
    expect(changesIn(calls)).toEqual([]);
    await userEvent.selectOptions(screen.getByLabelText("Open sheets"), "are taken back at once");
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText("Ada is paused.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/work/raters/m1/pause`, body: { takes_back: true } }]);
  });

  it("get another role only after saying what it means", async () => {
    const calls = peopleServer([ADA]);
    openApp("/nq/people");
    const role = await screen.findByLabelText("Role of Ada");
    await userEvent.selectOptions(role, "adjudicator");
    expect(await screen.findByRole("dialog", { name: "Make Ada an adjudicator?" })).toHaveTextContent(
      "As soon as Ada opens any of it, Ada can never judge blind here again",
    );
    expect(screen.getByRole("button", { name: "Keep it" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
    expect(changesIn(calls)).toEqual([]);
    expect(role).toHaveValue("annotator");
    await userEvent.selectOptions(role, "adjudicator");
    await userEvent.click(await screen.findByRole("button", { name: "Make an adjudicator" }));
    expect(await screen.findByText("Ada was changed.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/members/m1`, body: { role: "adjudicator" } }]);
  });

  it("who have looked are said to be barred from judging", async () => {
    peopleServer([{ ...ADA, role: "adjudicator", unblinded: true }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Role of Ada"), "annotator");
    expect(await screen.findByRole("dialog", { name: "Make Ada an annotator?" })).toHaveTextContent(
      "Ada will be given no answers to judge here",
    );
  });

  it("go on at once", async () => {
    const calls = peopleServer([{ ...ADA, state: "paused" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Status of Ada"), "active");
    expect(await screen.findByText("Ada is given work again.")).toBeVisible();
    expect(changesIn(calls).map(({ path }) => path)).toEqual([`${ROOT}/work/raters/m1/resume`]);
  });

  it("just change where they hold no sheets", async () => {
    const calls = peopleServer([{ ...ADA, role: "adjudicator" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Status of Ada"), "paused");
    expect(await screen.findByText("Ada was changed.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/members/m1`, body: { state: "paused" } }]);
  });
});
