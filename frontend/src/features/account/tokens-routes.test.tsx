import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../../api/query-client";
import type { ApiToken } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { openApp } from "../../test/open-app";

const TOKEN: ApiToken = {
  id: "t1",
  name: "nightly import",
  project: null,
  project_name: null,
  scope: "read",
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2999-01-01T00:00:00Z",
  revoked_at: null,
  last_used_at: null,
};

function server(...tokens: ApiToken[]) {
  return startFakeServer({
    "GET /api/session": {
      user: { public_id: "u1", username: "anna", name: "Anna", language: "en" },
      csrf_token: "token",
    },
    "GET /api/projects": [],
    "GET /api/account/tokens": tokens,
    "POST /api/account/tokens": { text: "assay_t1_secret", token: TOKEN },
    "DELETE /api/account/tokens/t1": {},
    "POST /api/account/password": {},
  });
}

describe("API tokens", () => {
  it("are created with the password, and shown once", async () => {
    const calls = server();
    openApp("/account/tokens");
    expect(await screen.findByText("You have no API tokens.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Create API token" }));
    const dialog = await screen.findByRole("dialog");
    const create = within(dialog).getByRole("button", { name: "Create token" });
    expect(create).toBeDisabled();
    await userEvent.type(within(dialog).getByLabelText("Name"), "nightly import");
    await userEvent.selectOptions(within(dialog).getByLabelText("Access"), "Read and write");
    await userEvent.type(within(dialog).getByLabelText("Current password"), "phrase");
    await userEvent.click(create);
    expect(await screen.findByLabelText("API token")).toHaveValue("assay_t1_secret");
    const wish = { name: "nightly import", project: "", scope: "write", days: 90, password: "phrase" };
    expect(bodiesOf(calls, "POST")[0]).toEqual(wish);
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByDisplayValue("assay_t1_secret")).toBeNull();
  });

  it("are revoked once that is confirmed; those that have ended cannot be", async () => {
    const calls = server(
      TOKEN,
      { ...TOKEN, id: "t2", name: "old", expires_at: "2026-01-02T00:00:00Z" },
      { ...TOKEN, id: "t3", name: "lost", revoked_at: "2026-01-02T00:00:00Z" },
    );
    openApp("/account/tokens");
    expect(await screen.findByText("Expired")).toBeVisible();
    expect(screen.getByText("Revoked")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Revoke / }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("API token revoked.")).toBeVisible();
    expect(calls.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  it("are read anew after the password was changed", async () => {
    const calls = server(TOKEN);
    const router = openApp("/account/tokens", createQueryClient());
    expect(await screen.findByText("nightly import")).toBeVisible();
    await act(() => router.navigate({ to: "/account" }));
    await userEvent.type(await screen.findByLabelText("Current password"), "phrase");
    await userEvent.type(screen.getByLabelText("New password"), "an even longer phrase");
    await userEvent.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText(/your API tokens are revoked/)).toBeVisible();
    await act(() => router.navigate({ to: "/account/tokens" }));
    expect(await screen.findByText("nightly import")).toBeVisible();
    await waitFor(() => expect(calls.filter(({ path }) => path === "/api/account/tokens")).toHaveLength(2));
  });
});
