/** Single sign-on: the button that leads to the provider, what came of it, and the connection of one's account. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session, SsoConnection } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/judging-cast";
import { SESSION } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const SIGNED_OUT: Session = { user: null, csrf_token: "token" };
const OFFER = { provider: "Example University", creates_accounts: false };
const ADDRESS = { address: "https://login.example/authorize?state=x" };
const FREE: SsoConnection = {
  provider: "Example University",
  connected_at: null,
  ended_at: null,
  has_password: true,
  ends_with_password: false,
};
const CONNECTED: SsoConnection = {
  ...FREE,
  connected_at: "2026-01-01T00:00:00Z",
  ends_with_password: true,
};

const ENDED: SsoConnection = { ...FREE, ended_at: "2026-02-01T00:00:00Z" };

const INVITED = {
  "GET /api/invitations/abc": {
    project_name: "NQ301",
    project_slug: "nq",
    role: "annotator",
    expires_at: "2999-01-01T00:00:00Z",
  },
};

/** Where the page would have led. */
let left: string[] = [];

function note(event: MouseEvent) {
  if (!(event.target instanceof HTMLAnchorElement) || event.target.host === window.location.host) return;
  event.preventDefault();
  left.push(event.target.href);
}

beforeEach(() => {
  left = [];
  document.addEventListener("click", note);
});

afterEach(() => document.removeEventListener("click", note));

function comeTo(path: string, replies: Readonly<Record<string, unknown>> = {}) {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/session": SIGNED_OUT,
    "GET /api/sso": OFFER,
    "GET /api/projects": [],
    ...replies,
  });
  return { calls, router: openApp(path) };
}

describe("signing in with a provider", () => {
  it("leads there, and says which page was asked for", async () => {
    const { calls } = comeTo("/sign-in?next=%2Fnq%2Fjudge", { "POST /api/sso/begin": ADDRESS });
    await userEvent.click(await screen.findByRole("button", { name: "Sign in with Example University" }));
    await waitFor(() => expect(left).toEqual([ADDRESS.address]));
    expect(bodiesOf(calls, "POST")).toEqual([{ next: "/nq/judge" }]);
  });

  it("says why the provider cannot be reached", async () => {
    comeTo("/sign-in", {
      "POST /api/sso/begin": new FakeError(409, "conflict", "It does not respond.", {}, "sso_unavailable"),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Sign in with Example University" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("It does not respond.");
    expect(left).toEqual([]);
  });

  it("is enough to join by an invitation", async () => {
    const { calls } = comeTo("/join/abc", { ...INVITED, "POST /api/sso/begin": ADDRESS });
    await userEvent.click(await screen.findByRole("button", { name: "Continue with Example University" }));
    await waitFor(() => expect(bodiesOf(calls, "POST")).toEqual([{ invitation: "abc" }]));
  });

  it("says on the invitation why that failed", async () => {
    comeTo("/join/abc?failed=sso_canceled", INVITED);
    expect(await screen.findByRole("alert")).toHaveTextContent("did not sign you in");
  });

  it("is not offered where it is not set up", async () => {
    comeTo("/sign-in", { "GET /api/sso": { provider: "", creates_accounts: false } });
    await screen.findByLabelText("Username");
    expect(screen.getAllByRole("button", { name: /Sign in/ })).toHaveLength(1);
  });

  it("says what it came to", async () => {
    comeTo("/sign-in?failed=sso_unknown");
    expect(await screen.findByRole("alert")).toHaveTextContent("No account here is connected");
  });

  it("says that a new password ended the connection", async () => {
    comeTo("/sign-in?failed=sso_ended");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "This connection stopped working when your password changed. Sign in with your password, then connect it again under “Your account.”",
    );
  });

  it("says how to get in after disconnecting", async () => {
    comeTo("/sign-in?failed=sso_disconnected");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "This sign-in was disconnected from an account here. Sign in to that account with your password and connect it again under “Your account,” or ask the administrator of this server for help.",
    );
  });

  it("says nothing that an address of somebody else makes up", async () => {
    comeTo("/sign-in?failed=Call%20555-0100&next=%2F%2Fevil.example");
    await screen.findByLabelText("Username");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(document.body).not.toHaveTextContent("555");
  });

  it("asks for the account’s own code afterwards", async () => {
    const { calls, router } = comeTo("/sign-in?step=code&next=%2Faccount", {
      "POST /api/sso/code": SESSION,
    });
    await userEvent.type(await screen.findByLabelText("Authentication code"), "123456{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/account"));
    expect(bodiesOf(calls, "POST")).toEqual([{ code: "123456" }]);
  });
});

describe("the connection of an account", () => {
  const account = (state: () => SsoConnection, more: Readonly<Record<string, unknown>> = {}) => ({
    "GET /api/session": SESSION,
    "GET /api/account/sso": state,
    ...more,
  });

  it("begins with the password", async () => {
    const { calls } = comeTo(
      "/account",
      account(() => FREE, { "POST /api/account/sso": ADDRESS }),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Connect Example University" }));
    await userEvent.keyboard("secret{Enter}");
    await waitFor(() => expect(left).toEqual([ADDRESS.address]));
    expect(bodiesOf(calls, "POST")).toEqual([{ password: "secret" }]);
  });

  it("ends with the password, too", async () => {
    let state = CONNECTED;
    comeTo(
      "/account?sso=connected",
      account(() => state, {
        "POST /api/account/sso/disconnect": () => {
          state = FREE;
          return null;
        },
      }),
    );
    expect(await screen.findByText("You can now sign in with Example University.")).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: "Disconnect Example University" }));
    await userEvent.keyboard("secret{Enter}");
    expect(await screen.findByRole("button", { name: "Connect Example University" })).toBeVisible();
    expect(screen.queryByText("You can now sign in with Example University.")).toBeNull();
  });

  it("ends with a new password, which the page says before", async () => {
    let state = CONNECTED;
    comeTo(
      "/account",
      account(() => state, {
        "POST /api/account/password": () => {
          state = ENDED;
          return SESSION;
        },
      }),
    );
    expect(await screen.findByText("Changing your password disconnects Example University.")).toBeVisible();
    await userEvent.type(screen.getByLabelText("Current password"), "secret");
    await userEvent.type(screen.getByLabelText("New password"), "a long enough phrase{Enter}");
    expect(await screen.findByRole("button", { name: "Connect Example University" })).toBeVisible();
    expect(screen.queryByText(/password disconnects/)).toBeNull();
    expect(
      screen.getByText(/Example University was disconnected on .* because your password changed/),
    ).toBeVisible();
  });

  it("says why it failed", async () => {
    comeTo(
      "/account?failed=sso_in_use",
      account(() => FREE),
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("connected to another account");
  });

  it("cannot end where no password would be left", async () => {
    comeTo(
      "/account",
      account(() => ({ ...CONNECTED, has_password: false, ends_with_password: false })),
    );
    expect(await screen.findByText(/Your account has no password/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /Disconnect/ })).toBeNull();
    expect(screen.queryByLabelText("Current password")).toBeNull();
  });
});
