import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Member } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeSetup } from "../../test/lead-cast";
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

describe("the members of a project", () => {
  it("include imported annotators, of whom it says that they cannot judge", async () => {
    peopleServer([
      ADA,
      { ...ADA, public_id: "m2", name: "Annotator 2", username: "imported", is_imported: true },
    ]);
    openApp("/nq/people");
    const said = await screen.findByText("Imported annotator without an account; cannot judge");
    expect(said.closest("tr")).toHaveTextContent("Annotator 2");
    expect(screen.getByText("ada").closest("tr")).toHaveTextContent("Ada");
  });
});

const LINK = {
  public_id: "v1",
  role: "annotator",
  label: "Link 1",
  group: "",
  created_at: "2026-11-01T10:00:00Z",
  expires_at: "2026-12-05T12:00:00Z",
  accepted_at: null,
  unusable_reason: "",
};

function linksServer(reply: unknown) {
  let label = "Link 1";
  return startFakeServer({
    ...BASE,
    [`GET ${ROOT}/members`]: [ADA],
    [`GET ${ROOT}/systems`]: [],
    [`GET ${ROOT}/invitations`]: () => [
      { ...LINK, label },
      { ...LINK, public_id: "v2", label: "Link 2" },
    ],
    [`PATCH ${ROOT}/invitations/v1`]: ({ body }: { body: { label: string } }) => {
      if (reply instanceof FakeError) return reply;
      label = body.label;
      return { ...LINK, label };
    },
  });
}

describe("renaming a link", () => {
  it("is done where it stands in the list", async () => {
    const calls = linksServer(null);
    openApp("/nq/people");
    await userEvent.click(await screen.findByRole("button", { name: "Rename Link 1" }));
    expect(screen.getByLabelText("Link name")).toHaveFocus();
    await userEvent.clear(screen.getByLabelText("Link name"));
    expect(screen.getByRole("button", { name: "Save" })).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Link name"), " Ada{Enter}");
    expect(await screen.findByRole("button", { name: "Rename Ada" })).toHaveFocus();
    expect(screen.getByText("Link renamed.")).toBeVisible();
    expect(screen.getByText("Link 2")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/invitations/v1`, body: { label: "Ada" } }]);
  });

  it("changes nothing when canceled", async () => {
    const calls = linksServer(null);
    openApp("/nq/people");
    await userEvent.click(await screen.findByRole("button", { name: "Rename Link 1" }));
    await userEvent.type(screen.getByLabelText("Link name"), " for Ada");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByText("Link 1")).toBeVisible();
    expect(screen.getByRole("button", { name: "Rename Link 1" })).toHaveFocus();
    expect(changesIn(calls)).toEqual([]);
  });

  it("says why it is refused, and keeps what was typed", async () => {
    linksServer(new FakeError(409, "invitation_ended", "This link no longer works."));
    openApp("/nq/people");
    await userEvent.click(await screen.findByRole("button", { name: "Rename Link 1" }));
    await userEvent.clear(screen.getByLabelText("Link name"));
    await userEvent.type(screen.getByLabelText("Link name"), "Ada");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("This link no longer works.");
    expect(screen.getByLabelText("Link name")).toHaveValue("Ada");
  });
});

describe("a new link", () => {
  function newLinkServer(revoked: unknown = {}) {
    const invitation = { ...LINK, group: "G1", label: "Ada" };
    return startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [invitation],
      [`POST ${ROOT}/invitations`]: { ...invitation, public_id: "v9", url_path: "/join/new" },
      [`DELETE ${ROOT}/invitations/v1`]: revoked,
    });
  }

  it("replaces one that was lost by one click, and is copied at once", async () => {
    const user = userEvent.setup();
    const calls = newLinkServer();
    openApp("/nq/people");
    await user.click(await screen.findByRole("button", { name: "New link for Ada" }));
    expect(await screen.findByRole("dialog", { name: "New link copied" })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe("http://localhost:3000/join/new");
    expect(screen.getByLabelText("Link")).toHaveValue("http://localhost:3000/join/new");
    expect(screen.getByText(/^The old link no longer works\./)).toBeVisible();
    expect(changesIn(calls)).toEqual([
      {
        path: `${ROOT}/invitations`,
        body: { role: "annotator", label: "Ada", group: "G1", expires_in_days: 14 },
      },
      { path: `${ROOT}/invitations/v1`, body: null },
    ]);
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is shown where the old one could not be revoked, which is said", async () => {
    const user = userEvent.setup();
    newLinkServer(new FakeError(500, "bug", "Broken."));
    openApp("/nq/people");
    await user.click(await screen.findByRole("button", { name: "New link for Ada" }));
    expect(await screen.findByText("The old link still works. Revoke it in the list.")).toBeVisible();
    expect(screen.getByLabelText("Link")).toHaveValue("http://localhost:3000/join/new");
  });
});

describe("the links of a project", () => {
  it("are shown as ended where their maker may not invite now, and can still be revoked", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [{ ...LINK, unusable_reason: "ended" }],
    });
    openApp("/nq/people");
    expect(await screen.findByText("Inactive: its creator can no longer invite people")).toBeVisible();
    expect(screen.getByRole("button", { name: "Revoke link" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Rename/ })).toBeNull();
  });
});

describe("a link sent by email", () => {
  function mailServer(invitations: readonly unknown[] = []) {
    return startFakeServer({
      ...BASE,
      "GET /api/session": { ...BASE["GET /api/session"], sends_mail: true },
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: invitations,
      [`GET ${ROOT}/setup`]: makeSetup({ annotators_present: 1, is_ready: false }),
      [`POST ${ROOT}/invitations`]: { ...LINK, url_path: "/join/t" },
    });
  }

  it("goes to the address of one person, and is shown, too", async () => {
    const calls = mailServer();
    openApp("/nq/people");
    await userEvent.click(await screen.findByRole("button", { name: "Invite someone" }));
    await userEvent.type(screen.getByLabelText("Send to (optional)"), " eve@example.org ");
    await userEvent.click(screen.getByRole("button", { name: "Create link" }));
    expect(await screen.findByText(/Assay is sending the link to eve@example.org/)).toBeVisible();
    expect(screen.getByDisplayValue(/\/join\/t$/)).toBeVisible();
    expect(bodiesOf(calls, "POST")).toMatchObject([{ email: "eve@example.org", role: "annotator" }]);
    // It need not be copied.
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is not offered for several links", async () => {
    mailServer();
    openApp("/nq/people");
    await userEvent.click(await screen.findByRole("button", { name: "Invite someone" }));
    await userEvent.clear(screen.getByLabelText("Number of links"));
    await userEvent.type(screen.getByLabelText("Number of links"), "2");
    expect(screen.queryByLabelText("Send to (optional)")).toBeNull();
  });

  it("says where it could not be sent", async () => {
    mailServer([{ ...LINK, email_state: "given_up" }]);
    openApp("/nq/people");
    expect(await screen.findByText(/email could not be sent/)).toBeVisible();
  });
});

describe("inviting several at once", () => {
  function linkServer(failsFrom = Infinity) {
    let made = 0;
    return startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [],
      [`GET ${ROOT}/setup`]: makeSetup({ annotators_present: 1, is_ready: false }),
      [`POST ${ROOT}/invitations`]: () => {
        made += 1;
        return made < failsFrom
          ? { ...LINK, url_path: `/join/t${made}` }
          : new FakeError(500, "bug", "Broken.");
      },
    });
  }

  it("makes a link for each annotator whom the protocol lacks", async () => {
    const calls = linkServer();
    openApp("/nq/people?invite=2");
    await userEvent.click(await screen.findByRole("button", { name: "Create 2 links" }));
    expect(await screen.findByRole("dialog", { name: "Your 2 links are ready" })).toBeVisible();
    expect(screen.getByLabelText("Link 2")).toHaveValue("http://localhost:3000/join/t2");
    // Each of two is copied by itself.
    expect(screen.queryByRole("button", { name: /^Copy all/ })).toBeNull();
    expect(changesIn(calls)).toHaveLength(2);
  });

  it("keeps links in sight until they are copied, or somebody means to do without", async () => {
    const user = userEvent.setup();
    linkServer();
    openApp("/nq/people?invite=3");
    expect(await screen.findByRole("dialog", { name: "Invite 3 annotators" })).toBeVisible();
    expect(
      screen.getByText(
        /^You opened Assay at localhost\. Before you invite others, open it at this server’s address/,
      ),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Create 3 links" }));
    await user.click(await screen.findByRole("button", { name: "Done" }));
    expect(screen.getByRole("alert")).toHaveTextContent("You have not copied the links.");
    await user.click(screen.getByRole("button", { name: "Copy link 2" }));
    expect(screen.getByRole("button", { name: "Copied: link 2" })).toHaveTextContent("Copied");
    expect(await screen.findByText("You have not copied 2 links.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Invite more" }));
    expect(screen.getByLabelText("Link 1")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Copy all links" }));
    expect(await navigator.clipboard.readText()).toBe(
      "http://localhost:3000/join/t1\nhttp://localhost:3000/join/t2\nhttp://localhost:3000/join/t3",
    );
    expect(screen.queryByText(/have not copied/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("can be sent as messages that say what is asked and what to do first", async () => {
    const user = userEvent.setup();
    linkServer();
    openApp("/nq/people?invite=3");
    await user.click(await screen.findByRole("button", { name: "Create 3 links" }));
    await user.click(await screen.findByRole("button", { name: "Copy message 2" }));
    expect(await navigator.clipboard.readText()).toBe(
      [
        "Hello,",
        "For “NQ301,” please help judge answers to questions: decide for each answer whether it is correct. Your share: about 8,200 answers, about 69 hours in all.",
        "To join, open this link by December 5, 2026. It works for one person: http://localhost:3000/join/t2",
        "After you join, read the guidelines and judge your first answer. You can stop at any time and continue later.",
        "Best regards,\nLena",
      ].join("\n\n"),
    );
    expect(screen.getByText(/^Follow progress and find the results on Overview/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Copy all messages" }));
    const all = await navigator.clipboard.readText();
    expect(all.match(/\/join\/t\d/g)).toEqual(["/join/t1", "/join/t2", "/join/t3"]);
    // A message holds its link: nothing holds the dialog up.
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("are told how much awaits them, and others are not", async () => {
    const user = userEvent.setup();
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [],
      [`GET ${ROOT}/setup`]: makeSetup({ load_of_each: { answers: 300, seconds: 24_000 } }),
      [`POST ${ROOT}/invitations`]: { ...LINK, url_path: "/join/t" },
    });
    openApp("/nq/people?invite=1");
    await user.click(await screen.findByRole("button", { name: "Create link" }));
    await user.click(await screen.findByRole("button", { name: "Copy message" }));
    expect(await navigator.clipboard.readText()).toContain("about 300 answers, about 7 hours in all.");
    await user.click(screen.getByRole("button", { name: "Invite more" }));
    await user.selectOptions(screen.getByLabelText("Role"), "Adjudicator");
    await user.click(screen.getByRole("button", { name: "Create link" }));
    await user.click(await screen.findByRole("button", { name: "Copy message" }));
    expect(await navigator.clipboard.readText()).not.toContain("Your share");
  });

  it("calls messages as their links, after those there are", async () => {
    let made = 0;
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [{ ...LINK, label: "Link 3" }],
      [`POST ${ROOT}/invitations`]: () => ({ ...LINK, url_path: `/join/t${(made += 1)}` }),
    });
    openApp("/nq/people");
    await screen.findByText("Link 3");
    await userEvent.click(screen.getByRole("button", { name: "Invite someone" }));
    await userEvent.clear(screen.getByLabelText("Number of links"));
    await userEvent.type(screen.getByLabelText("Number of links"), "2");
    await userEvent.type(screen.getByLabelText("Recipient 2"), "Bo");
    await userEvent.click(screen.getByRole("button", { name: "Create 2 links" }));
    expect(await screen.findByRole("button", { name: "Copy message 4" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy message for Bo" })).toBeVisible();
  });

  it.each(["Done", "Close"])("closes by “%s” without copying on a second word only", async (way) => {
    linkServer();
    openApp("/nq/people?invite=1");
    await userEvent.click(await screen.findByRole("button", { name: "Create link" }));
    await userEvent.click(await screen.findByRole("button", { name: way }));
    await userEvent.click(screen.getByRole("button", { name: way }));
    expect(screen.getByText("You have not copied the link.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Continue without copying" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("leads on once links are out", async () => {
    const setup = makeSetup({ annotators_present: 0, invited: 3, is_ready: false });
    startFakeServer({ ...BASE, [`GET ${ROOT}/setup`]: setup, [`GET ${ROOT}/invitations`]: [] });
    openApp("/nq/people");
    expect(await screen.findByText("3 invited annotators have not joined yet.")).toBeVisible();
    expect(screen.getByRole("link", { name: "What to do next" })).toHaveAttribute("href", "/nq/overview");
  });

  it("is offered where people lack", async () => {
    linkServer();
    openApp("/nq/people");
    expect(await screen.findByText("This protocol needs 3 annotators; 1 has joined.")).toBeVisible();
    const instead = screen.getByText(
      /^Do not count yourself: leads cannot judge\. 2 annotators are enough if you resolve disagreements yourself\./,
    );
    expect(within(instead).getByRole("link", { name: "Change the protocol" })).toHaveAttribute(
      "href",
      "/nq/protocol?field=tie_break",
    );
    await userEvent.click(screen.getByRole("button", { name: "Invite 2 annotators" }));
    expect(await screen.findByLabelText("Number of links")).toHaveValue("2");
  });

  it("says what is lost where the last of them never joins", async () => {
    linkServer();
    openApp("/nq/people");
    const words = await screen.findByText(/^2 annotators judge each answer/);
    expect(words).toHaveTextContent(
      /a third judges it\. If no third annotator joins, you decide those answers and cannot test whether a judge can replace an annotator\.$/,
    );
  });

  it("does not repeat what two annotators cannot test, which New project says", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/setup`]: makeSetup({ annotators_needed: 2, annotators_present: 0, is_ready: false }),
      [`GET ${ROOT}/invitations`]: [],
    });
    openApp("/nq/people");
    expect(await screen.findByText("This protocol needs 2 annotators.")).toBeVisible();
    expect(screen.queryByText(/too few|If no/)).toBeNull();
  });

  it("lets the lead name each link", async () => {
    const calls = linkServer();
    openApp("/nq/people?invite=3");
    await userEvent.type(await screen.findByLabelText("Recipient 1"), "Ada ");
    await userEvent.type(screen.getByLabelText("Recipient 3"), "Aki");
    await userEvent.click(screen.getByRole("button", { name: "Create 3 links" }));
    expect(await screen.findByLabelText("Link for Ada")).toBeVisible();
    expect(screen.getByText(/^Hi Ada,/)).toBeInTheDocument();
    expect(screen.getByLabelText("Link 2")).toBeVisible();
    expect(screen.getByLabelText("Link for Aki")).toBeVisible();
    expect(bodiesOf(calls, "POST").map((body) => (body as { label: string }).label)).toEqual([
      "Ada",
      "Link 2",
      "Aki",
    ]);
  });

  it("is not asked for once everything is decided", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/members`]: [ADA],
      [`GET ${ROOT}/systems`]: [],
      [`GET ${ROOT}/invitations`]: [],
      [`GET ${ROOT}/setup`]: makeSetup({ annotators_present: 2, to_judge: 0, is_ready: true }),
    });
    openApp("/nq/people");
    expect(await screen.findByRole("table", { name: "Project members" })).toBeVisible();
    expect(screen.queryByText(/This protocol needs/)).toBeNull();
  });

  it("shows the links there are when one could not be made", async () => {
    linkServer(2);
    openApp("/nq/people?invite=3");
    await userEvent.click(await screen.findByRole("button", { name: "Create 3 links" }));
    expect(await screen.findByRole("dialog", { name: "Your link is ready" })).toBeVisible();
    expect(screen.getByLabelText("Link 1")).toHaveValue("http://localhost:3000/join/t1");
    expect(screen.getByText("2 links were not created.")).toBeVisible();
    expect(screen.getByText("Broken.")).toBeVisible();
  });

  it("offers those that could not be made again, with their names alone", async () => {
    linkServer(2);
    openApp("/nq/people?invite=3");
    await userEvent.type(await screen.findByLabelText("Recipient 1"), "Ada");
    await userEvent.type(screen.getByLabelText("Recipient 3"), "Aki");
    await userEvent.click(screen.getByRole("button", { name: "Create 3 links" }));
    await userEvent.click(await screen.findByRole("button", { name: "Create the other 2 links" }));
    await userEvent.click(screen.getByRole("button", { name: "Continue without copying" }));
    expect(screen.getByLabelText("Recipient 1")).toHaveValue("");
    expect(screen.getByLabelText("Recipient 2")).toHaveValue("Aki");
  });

  it("keeps no name for the next one", async () => {
    linkServer();
    openApp("/nq/people?invite=2");
    await userEvent.type(await screen.findByLabelText("Recipient 1"), "Ada");
    await userEvent.click(screen.getByRole("button", { name: "Create 2 links" }));
    await userEvent.click(await screen.findByRole("button", { name: "Invite more" }));
    await userEvent.click(screen.getByRole("button", { name: "Continue without copying" }));
    expect(screen.getByLabelText("Number of links")).toHaveValue("1");
    expect(screen.getByLabelText("Recipient (optional)")).toHaveValue("");
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
    await userEvent.selectOptions(screen.getByLabelText("Open sheets"), "Recall now");
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
      "Once Ada opens any of this, Ada can never judge blind in this project again",
    );
    expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(changesIn(calls)).toEqual([]);
    expect(role).toHaveValue("annotator");
    await userEvent.selectOptions(role, "adjudicator");
    await userEvent.click(await screen.findByRole("button", { name: "Change role" }));
    expect(await screen.findByText("Updated Ada.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/members/m1`, body: { role: "adjudicator" } }]);
  });

  it("who have looked are said to be barred from judging", async () => {
    peopleServer([{ ...ADA, role: "adjudicator", unblinded: true }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Role of Ada"), "annotator");
    expect(await screen.findByRole("dialog", { name: "Make Ada an annotator?" })).toHaveTextContent(
      "Ada will get no answers to judge in this project",
    );
  });

  it("go on at once", async () => {
    const calls = peopleServer([{ ...ADA, state: "paused" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Status of Ada"), "active");
    expect(await screen.findByText("Ada can receive work again.")).toBeVisible();
    expect(changesIn(calls).map(({ path }) => path)).toEqual([`${ROOT}/work/raters/m1/resume`]);
  });

  it("just change where they hold no sheets", async () => {
    const calls = peopleServer([{ ...ADA, role: "adjudicator" }]);
    openApp("/nq/people");
    await userEvent.selectOptions(await screen.findByLabelText("Status of Ada"), "paused");
    expect(await screen.findByText("Updated Ada.")).toBeVisible();
    expect(changesIn(calls)).toEqual([{ path: `${ROOT}/members/m1`, body: { state: "paused" } }]);
  });
});
