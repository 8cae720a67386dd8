import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function makePreset(key: string, goal: string, spec: Readonly<Record<string, unknown>>) {
  return { key, name: key, goal, summary: "", details: "", is_recommended: key === "two", spec };
}

const PRESETS = [
  makePreset("one", "How alike?", { raters_per_answer: 1, tie_break: "nobody" }),
  makePreset("two", "How good?", { raters_per_answer: 2, tie_break: "third_rater" }),
];

function openNew() {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/presets": PRESETS,
    "GET /api/bundles": { file_bytes: 200_000_000, rows: 50_000, bytes: 100_000_000 },
    "POST /api/bundles": { slug: "nq301", name: "NQ301" },
    "POST /api/projects": { slug: "nq", name: "NQ" },
  });
  const router = openApp("/new");
  return { calls, router };
}

describe("a new project", () => {
  it("says how many people its protocol needs besides the lead", async () => {
    openNew();
    const three = await screen.findByRole("radio", {
      name: /^Invite 3 people .* 2 judge each answer, and the other breaks ties/,
    });
    expect(three).toBeChecked();
    expect(screen.getByRole("group", { name: "People to invite" })).toBeVisible();
    expect(screen.getByText("Do not count yourself.")).toBeVisible();
    await userEvent.click(screen.getByText("Other goals"));
    await userEvent.click(screen.getByRole("radio", { name: "How alike?" }));
    expect(screen.getByText(/^Invite 1 person\. Do not count yourself/)).toBeVisible();
    expect(screen.queryByRole("radio", { name: /^Invite/ })).toBeNull();
  });

  it("can have the lead decide where people disagree, so that two are enough", async () => {
    const { calls } = openNew();
    await userEvent.click(
      await screen.findByRole("radio", {
        name: "Invite 2 people: each judges every answer, and you break ties without seeing system names. You still see which system is best and which judge to trust.",
      }),
    );
    expect(screen.getByText(/if they disagree, a lead or an adjudicator decides/)).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Name"), "NQ");
    await userEvent.click(screen.getByRole("button", { name: "Create project" }));
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ preset: "two", tie_break: "lead" });
  });

  it("has the recommended goal chosen and marked, wherever it stands, with its rules folded", async () => {
    openNew();
    const recommended = await screen.findByRole("radio", { name: /How good\?/ });
    expect(recommended).toBeChecked();
    expect(recommended).toHaveAccessibleName("How good? Recommended");
    expect(screen.getByText(/2 annotators judge each answer/).closest("details")).not.toHaveAttribute("open");
    expect(screen.getAllByText("Recommended")).toHaveLength(1);
    expect(screen.getByText("Other goals").closest("details")).not.toHaveAttribute("open");
  });

  it("keeps technical choices folded, and sends them nonetheless", async () => {
    const { calls } = openNew();
    const pooling = await screen.findByLabelText(/count as the same/);
    expect(pooling.closest("details")).not.toHaveAttribute("open");
    await userEvent.type(screen.getByLabelText("Name"), "NQ");
    await screen.findByRole("radio", { name: /How good\?/ });
    await userEvent.click(screen.getByText("More settings"));
    await userEvent.selectOptions(pooling, "exact");
    await userEvent.click(screen.getByRole("button", { name: "Create project" }));
    expect(bodiesOf(calls, "POST")[0]).toEqual({
      ...{ name: "NQ", description: "", preset: "two" },
      ...{ pooling: "exact", cleaning: "none" },
    });
  });

  it("is restored from a bundle, and opened", async () => {
    const { calls, router } = openNew();
    await userEvent.click(await screen.findByText("Restore a project from a bundle"));
    const file = new File(["PK"], "nq301_bundle.zip", { type: "application/zip" });
    await userEvent.upload(screen.getByLabelText(/Drop a bundle here/), file);
    await waitFor(() => expect(router.state.location.pathname).toBe("/nq301/overview"));
    expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
