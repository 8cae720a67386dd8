import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { OrganizationPlace, OrganizationReport, ProjectOrganization } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const LAB: OrganizationPlace = { slug: "lab", name: "The lab", role: "owner", member_id: "m1" };
const OTHER: OrganizationPlace = { slug: "other", name: "Other lab", role: "member", member_id: "m2" };
const REPORT: OrganizationReport = {
  slug: "lab",
  name: "The lab",
  uses: [
    { resource: "projects", used: 1, limit: 2 },
    { resource: "answers", used: 1200, limit: null },
    { resource: "people", used: 3, limit: 3 },
  ],
  spending: { month: "2026-11", used_usd: "1.234", limit_usd: "50" },
  people: [
    { member_id: "m1", name: "Lea", username: "lea", role: "owner", joined_at: "2026-01-03T00:00:00Z" },
  ],
  projects: [{ slug: "nq", name: "NQ", state: "archived", answer_count: 1200, people_count: 2 }],
};
const PRESET = { key: "two", name: "two", goal: "How good?", summary: "", details: "", is_recommended: true };

function start(replies: Readonly<Record<string, unknown>> = {}) {
  return startFakeServer({
    ...BASE,
    "GET /api/organizations/lab": REPORT,
    "GET /api/organizations": [LAB],
    ...replies,
  });
}

describe("the page of an organization", () => {
  it("shows what is used of each limit, and projects by name without a way into them", async () => {
    start();
    openApp("/account/organizations/lab");
    expect(await screen.findByText("1 of 2")).toBeVisible();
    expect(screen.getByText("1,200", { selector: "p" })).toBeVisible();
    expect(screen.getByText("3 of 3")).toBeVisible();
    expect(screen.getByText("1.23 of 50.00 USD")).toBeVisible();
    const projects = screen.getByRole("table", { name: "Projects in the organization" });
    expect(within(projects).getByText("Archived")).toBeVisible();
    expect(within(projects).queryByRole("link")).toBeNull();
  });

  it("adds a person by username, and says at the field what is wrong with it", async () => {
    const reason = "There is no account “nobody”.";
    const calls = start({
      "POST /api/organizations/lab/people": new FakeError(400, "invalid", reason, {
        fields: { username: [reason] },
      }),
    });
    openApp("/account/organizations/lab");
    await userEvent.click(await screen.findByRole("button", { name: "Add person" }));
    await userEvent.type(screen.getByLabelText("Username"), "nobody");
    await userEvent.click(screen.getByRole("button", { name: "Add" }));
    expect(await screen.findAllByText(reason)).not.toHaveLength(0);
    expect(bodiesOf(calls, "POST")).toEqual([{ username: "nobody", role: "member" }]);
  });

  it("says why the last owner stays", async () => {
    start({
      "DELETE /api/organizations/lab/people/m1": new FakeError(409, "conflict", "It needs an owner."),
    });
    openApp("/account/organizations/lab");
    await userEvent.click(await screen.findByRole("button", { name: "Remove Lea" }));
    await userEvent.click(screen.getByRole("button", { name: "Remove" }));
    expect(await screen.findByText("It needs an owner.")).toBeVisible();
  });
});

describe("one’s organizations", () => {
  it("are on the account page: owners open them, and everybody can leave", async () => {
    start({ "GET /api/organizations": [LAB, OTHER], "GET /api/projects": [] });
    openApp("/account");
    const table = within(await screen.findByRole("table", { name: "Your organizations" }));
    expect(table.getByRole("link", { name: "The lab" })).toHaveAttribute(
      "href",
      "/account/organizations/lab",
    );
    expect(table.queryByRole("link", { name: "Other lab" })).toBeNull();
    expect(table.getByRole("button", { name: "Leave Other lab" })).toBeVisible();
  });

  it("are not spoken of to who is in none", async () => {
    start({ "GET /api/organizations": [], "GET /api/projects": [] });
    openApp("/account");
    await screen.findByRole("heading", { name: "API tokens" });
    expect(screen.queryByText("Organizations")).toBeNull();
  });
});

describe("a new project", () => {
  const more = {
    "GET /api/presets": [{ ...PRESET, spec: { raters_per_answer: 1, tie_break: "nobody" } }],
    "POST /api/projects": { slug: "nq", name: "NQ" },
  };

  async function create() {
    await userEvent.type(await screen.findByLabelText("Name"), "NQ");
    await userEvent.click(screen.getByRole("button", { name: "Create project" }));
  }

  it("is in the only organization that one is in, unless one says otherwise", async () => {
    const calls = start(more);
    openApp("/new");
    expect(await screen.findByLabelText("Organization")).toHaveValue("lab");
    await create();
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ organization: "lab" });
  });

  it("is in none of several until one is chosen", async () => {
    const calls = start({ ...more, "GET /api/organizations": [LAB, OTHER] });
    openApp("/new");
    expect(await screen.findByLabelText("Organization")).toHaveValue("");
    await create();
    expect(bodiesOf(calls, "POST")[0]).not.toHaveProperty("organization");
  });
});

describe("the settings of a project", () => {
  const place: ProjectOrganization = { slug: "", name: "", may_move: true, choices: [LAB] };
  const address = "GET /api/projects/nq/organization";

  it("move it into an organization", async () => {
    const calls = start({ [address]: place, "PUT /api/projects/nq/organization": place });
    openApp("/nq/settings");
    await userEvent.selectOptions(await screen.findByLabelText("Organization"), "lab");
    await userEvent.click(screen.getByRole("button", { name: "Move project" }));
    expect(bodiesOf(calls, "PUT")).toEqual([{ organization: "lab" }]);
  });

  it("say who can move it where the lead cannot", async () => {
    start({ [address]: { ...place, slug: "other", name: "Other lab", may_move: false } });
    openApp("/nq/settings");
    expect(await screen.findByText("Only people in Other lab can move the project.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Move project" })).toBeNull();
  });
});
