import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const POLICY: Policy = {
  rules: [],
  audit_share: 0.05,
  seed: null,
  saved_by: "",
  saved_at: null,
  conditions: [{ key: "any_accepts", name: "any of them accepts: correct", meaning: "correct" }],
  runs: [
    {
      id: "a",
      judge: "containment",
      name: "Containment",
      signature: "judge:containment",
      state: "finished",
      judged: 8,
      sureness: "probability",
    },
  ],
  applications: [],
};

describe("a policy that cannot be tried", () => {
  it("is marked where it lacks something, and the server is not asked", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/prejudging": POLICY,
      "GET /api/projects/nq/prejudging/audit": { audit_share: 0.05, rules: [], pooled: null, watched: 0 },
      "POST /api/projects/nq/prejudging/preview": {
        open: 8,
        decided: 3,
        drawn: 1,
        given_back: 0,
        given_back_draws: 0,
        rules: [],
      },
    });
    openApp("/nq/runs/prejudging");
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    const share = screen.getByRole("textbox", { name: /Drawn for raters all the same/ });
    await userEvent.clear(share);
    await userEvent.type(share, "105");
    expect(screen.queryByRole("alert")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show what it would do" }));
    expect(screen.getByText("Choose at least one judge, or remove rule 1.")).toBeVisible();
    expect(share).toBeInvalid();
    expect(screen.getByText("A number from 0 to 100.")).toBeVisible();
    await userEvent.clear(share);
    await userEvent.type(share, "10");
    expect(share).toBeValid();
    await userEvent.click(screen.getByRole("checkbox", { name: /Containment/ }));
    expect(screen.queryByText(/Choose at least one judge/)).toBeNull();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Rule 1 counts" }), "sure");
    const sure = screen.getByRole("textbox", { name: "Rule 1: at least this sure (%)" });
    await userEvent.clear(sure);
    await userEvent.type(sure, "30");
    await userEvent.click(screen.getByRole("button", { name: "Show what it would do" }));
    expect(sure).toBeInvalid();
    await userEvent.clear(sure);
    await userEvent.type(sure, "90");
    expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Show what it would do" }));
    expect(await screen.findByText(/^Of 8 open answers/)).toBeVisible();
    const [sent] = calls.filter(({ method }) => method === "POST");
    expect(sent?.body).toMatchObject({ rules: [{ threshold: 0.9 }] });
  });
});
