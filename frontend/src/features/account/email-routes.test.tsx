/** Email: an address entered, confirmed and removed, the digest, and what is asked for without signing in. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { EmailSettings, Session } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/judging-cast";
import { openApp } from "../../test/open-app";

const NONE: EmailSettings = { is_on: true, address: "", confirmed_at: null, pending: "", digest: "off" };
const CONFIRMED: EmailSettings = {
  ...NONE,
  address: "pat@example.org",
  confirmed_at: "2026-01-01T00:00:00Z",
};
const SIGNED_OUT: Session = { user: null, csrf_token: "token", sends_mail: true };

function accountServer(settings: EmailSettings, replies = {}) {
  const session = { ...(BASE["GET /api/session"] as Session), sends_mail: true };
  return startFakeServer({
    ...BASE,
    "GET /api/session": session,
    "GET /api/projects": [],
    "GET /api/account/email": settings,
    ...replies,
  });
}

describe("the email address of an account", () => {
  it("is entered with the password, and waits for its link", async () => {
    let state = NONE;
    const calls = accountServer(NONE, {
      "GET /api/account/email": () => state,
      "PUT /api/account/email": () => (state = { ...NONE, pending: "pat@example.org" }),
    });
    openApp("/account");
    await userEvent.type(await screen.findByLabelText("New email address"), " pat@example.org ");
    const form = screen.getByLabelText("New email address").closest("form") as HTMLElement;
    await userEvent.type(within(form).getByLabelText("Current password"), "secret{Enter}");
    expect(await screen.findByText(/To confirm/)).toHaveTextContent("To confirm pat@example.org, open");
    expect(bodiesOf(calls, "PUT")).toEqual([{ address: "pat@example.org", password: "secret" }]);
    expect(screen.queryByLabelText("Email about work waiting for you")).toBeNull();
  });

  it("has a digest once it is confirmed, and is removed with the password", async () => {
    let state: EmailSettings = CONFIRMED;
    const calls = accountServer(NONE, {
      "GET /api/account/email": () => state,
      "PATCH /api/account/email": () => (state = { ...state, digest: "daily" }),
      "PUT /api/account/email": () => (state = NONE),
    });
    openApp("/account");
    await userEvent.selectOptions(await screen.findByLabelText("Email about work waiting for you"), "Daily");
    expect(bodiesOf(calls, "PATCH")).toEqual([{ digest: "daily" }]);
    await userEvent.click(screen.getByRole("button", { name: "Remove email address" }));
    await userEvent.keyboard("secret{Enter}");
    expect(await screen.findByText(/With an email address/)).toBeVisible();
    expect(bodiesOf(calls, "PUT")).toEqual([{ address: "", password: "secret" }]);
  });

  it("is shown beside a new password, and goes with the former one if that is wanted", async () => {
    let state = CONFIRMED;
    const calls = accountServer(NONE, {
      "GET /api/account/email": () => state,
      "POST /api/account/password": () => {
        state = NONE;
        return {};
      },
    });
    openApp("/account");
    expect(
      await screen.findByText(/When you need to set a new password, Assay sends a link to/),
    ).toHaveTextContent(
      "When you need to set a new password, Assay sends a link to pat@example.org (confirmed on",
    );
    await userEvent.click(screen.getByLabelText("Remove this email address"));
    const form = screen.getByLabelText("New password").closest("form") as HTMLElement;
    await userEvent.type(within(form).getByLabelText("Current password"), "secret");
    await userEvent.type(within(form).getByLabelText("New password"), "a long enough phrase{Enter}");
    await waitFor(() => expect(screen.queryByLabelText("Remove this email address")).toBeNull());
    expect(bodiesOf(calls, "POST")).toEqual([
      { old: "secret", new: "a long enough phrase", remove_email: true },
    ]);
  });

  it("is not asked for where the server sends none", async () => {
    startFakeServer({ ...BASE, "GET /api/projects": [] });
    openApp("/account");
    await screen.findByRole("heading", { name: "Password" });
    expect(screen.queryByRole("heading", { name: "Email" })).toBeNull();
  });
});

describe("a link that confirms an address", () => {
  it("confirms it by a button, not by being opened", async () => {
    const calls = startFakeServer({
      "GET /api/session": SIGNED_OUT,
      "GET /api/email-links/t": { username: "pat", address: "pat@example.org" },
      "POST /api/email-links/t": {},
    });
    openApp("/account/confirm-email/t");
    expect(await screen.findByText(/Messages for the account pat will go to pat@example.org/)).toBeVisible();
    expect(bodiesOf(calls, "POST")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByRole("heading", { name: "Email address confirmed" })).toBeVisible();
  });
});

describe("somebody who forgot the password", () => {
  it("asks for a link, and hears the same whoever they are", async () => {
    const calls = startFakeServer({ "GET /api/session": SIGNED_OUT, "POST /api/password-requests": {} });
    openApp("/sign-in");
    await userEvent.click(await screen.findByRole("link", { name: "Forgot your password?" }));
    await userEvent.type(await screen.findByLabelText("Username or email address"), "pat{Enter}");
    expect(await screen.findByRole("heading", { name: "Check your email" })).toBeVisible();
    expect(bodiesOf(calls, "POST")).toEqual([{ account: "pat" }]);
  });

  it("asks the administrator where the server sends no email", async () => {
    startFakeServer({ "GET /api/session": { user: null, csrf_token: "token" } });
    openApp("/sign-in");
    expect(await screen.findByText(/Ask the administrator of this server for a link/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Forgot your password?" })).toBeNull();
  });
});

describe("a link that was used or has expired", () => {
  const used = new FakeError(404, "not_found", "This link was already used.", {}, "email_link_unusable");

  it.each([
    ["/account/confirm-email/t", "GET /api/email-links/t", "Go to your account", "/account"],
    ["/password/t", "GET /api/password-links/t", "Sign in", "/sign-in"],
  ])("says so at %s, and leads to a new one", async (path, asked, words, to) => {
    startFakeServer({ "GET /api/session": SIGNED_OUT, [asked]: used });
    openApp(path);
    expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
    expect(screen.getByText("This link was already used.")).toBeVisible();
    expect(screen.getByRole("link", { name: words })).toHaveAttribute("href", to);
  });

  it("says so where it was used while its page was open", async () => {
    startFakeServer({
      "GET /api/session": SIGNED_OUT,
      "GET /api/email-links/t": { username: "pat", address: "pat@example.org" },
      "POST /api/email-links/t": used,
    });
    openApp("/account/confirm-email/t");
    await userEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
  });
});

describe("a link that ends the digest", () => {
  it("works without signing in, by a button", async () => {
    startFakeServer({ "GET /api/session": SIGNED_OUT, "POST /api/unsubscribe/u%3As": {} });
    openApp("/account/unsubscribe/u:s");
    await userEvent.click(await screen.findByRole("button", { name: "Unsubscribe" }));
    expect(await screen.findByRole("heading", { name: "Unsubscribed" })).toBeVisible();
  });

  it("says where it is incomplete", async () => {
    const refusal = new FakeError(
      404,
      "not_found",
      "This link is incomplete.",
      {},
      "unsubscribe_link_unusable",
    );
    startFakeServer({ "GET /api/session": SIGNED_OUT, "POST /api/unsubscribe/u": refusal });
    openApp("/account/unsubscribe/u");
    await userEvent.click(await screen.findByRole("button", { name: "Unsubscribe" }));
    expect(await screen.findByText("This link is incomplete.")).toBeVisible();
  });
});
