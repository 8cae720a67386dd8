/** How one comes in: signing in, invitations, and addresses that lead nowhere. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Session, SignInRequest } from "../api/schema";
import { type Call, FakeError, startFakeServer } from "../test/fake-server";
import { BASE, makeSheet, makeWork } from "../test/judging-cast";
import { SESSION } from "../test/lead-cast";
import { openApp } from "../test/open-app";

function question() {
  return screen.findByRole("heading", { level: 1 });
}

const signedOut: Session = { user: null, csrf_token: "token" };

describe("signing in", () => {
  it("comes before every page of a project and leads back to it", async () => {
    let session = signedOut;
    startFakeServer({
      ...BASE,
      "GET /api/session": () => session,
      "POST /api/session": () => (session = SESSION),
      "POST /api/projects/nq/sheets/next": makeWork([makeSheet("a")]),
    });
    openApp("/nq/judge");
    await userEvent.type(await screen.findByLabelText("Username"), "anna");
    await userEvent.type(screen.getByLabelText("Password"), "secret");
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(async () => expect(await question()).toHaveTextContent("question a"));
  });

  it("waits for the token that it must show", async () => {
    let arrive: (session: unknown) => void = () => undefined;
    const late = new Promise((resolve) => (arrive = resolve));
    const calls = startFakeServer({
      "GET /api/session": () => late,
      "POST /api/session": SESSION,
      "GET /api/projects": [],
    });
    const router = openApp("/sign-in");
    await userEvent.type(await screen.findByLabelText("Username"), "anna");
    await userEvent.type(screen.getByLabelText("Password"), "secret{Enter}");
    expect(calls.filter((call) => call.method === "POST")).toEqual([]);
    arrive(signedOut);
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("says why it failed", async () => {
    const refusal = new FakeError(400, "invalid", "User name and password do not match.");
    startFakeServer({ "GET /api/session": signedOut, "POST /api/session": refusal });
    openApp("/sign-in");
    await userEvent.type(await screen.findByLabelText("Username"), "anna");
    await userEvent.type(screen.getByLabelText("Password"), "wrong{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("do not match");
  });
});

describe("signing in where the account asks for a code", () => {
  const needed = new FakeError(403, "forbidden", "Enter the code.", {}, "code_needed");
  const wrong = new FakeError(403, "forbidden", "This code is incorrect.", {}, "wrong_code");

  async function comeToTheCode() {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/session": signedOut,
      "POST /api/session": ({ body }: Call) => {
        const { code } = body as SignInRequest;
        if (code === undefined) return needed;
        return code === "123456" ? SESSION : wrong;
      },
      "GET /api/projects": [],
    });
    const router = openApp("/sign-in");
    await userEvent.type(await screen.findByLabelText("Username"), "anna");
    await userEvent.type(screen.getByLabelText("Password"), "secret{Enter}");
    const field = await screen.findByLabelText("Authentication code");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(field).toHaveFocus();
    return { calls, router, field };
  }

  it("takes it after the password, and says when it is wrong", async () => {
    const { calls, router, field } = await comeToTheCode();
    await userEvent.type(field, "000000{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This code is incorrect.");
    await userEvent.clear(field);
    await userEvent.type(field, "123456{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    const sent = { username: "anna", password: "secret", code: "123456" };
    expect(calls.filter((call) => call.method === "POST").at(-1)?.body).toEqual(sent);
  });

  it("leads back to the password", async () => {
    await comeToTheCode();
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.getByLabelText("Password")).toHaveValue("");
  });
});

describe("an invitation", () => {
  const offer = {
    project_name: "NQ301",
    project_slug: "nq",
    role: "annotator",
    expires_at: "2999-01-01T00:00:00Z",
  };

  it("says what to do where a link does not work", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/invitations/t": new FakeError(404, "not_found", "Ask whoever invited you for a new one."),
    });
    openApp("/join/t");
    expect(await screen.findByRole("heading", { name: "You cannot use this invitation" })).toBeVisible();
    expect(screen.getByText(/Ask whoever invited you/)).toBeVisible();
  });

  it("takes somebody who is signed in with one press", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/invitations/t": offer,
      "POST /api/invitations/t/accept": { project_slug: "nq", role: "annotator" },
      "POST /api/projects/nq/sheets/next": makeWork([makeSheet("a")]),
    });
    openApp("/join/t");
    await userEvent.click(await screen.findByRole("button", { name: "Join" }));
    await waitFor(async () => expect(await question()).toHaveTextContent("question a"));
    expect(calls.filter((call) => call.path.endsWith("/accept"))).toHaveLength(1);
  });
});

describe("making projects where only some may", () => {
  const user = { ...SESSION.user, may_create_projects: false };

  it("is not offered, and its page says whom to ask", async () => {
    startFakeServer({ ...BASE, "GET /api/session": { ...SESSION, user }, "GET /api/projects": [] });
    openApp("/");
    expect(await screen.findByText("No projects yet")).toBeVisible();
    expect(screen.queryByRole("link", { name: "New project" })).toBeNull();
    openApp("/new");
    expect(await screen.findByText(/Ask the administrator of this server/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Create project" })).toBeNull();
  });
});

describe("a page that is not there", () => {
  it("says so", async () => {
    startFakeServer(BASE);
    openApp("/elsewhere/judge");
    expect(await screen.findByText("Not found")).toBeVisible();
  });

  it.each(["/elsewhere/judge", "/elsewhere/no/such/page"])(
    "keeps whoever is signed in at %s",
    async (path) => {
      startFakeServer(BASE);
      openApp(path);
      expect(await screen.findByRole("heading", { name: /not found/i })).toBeVisible();
      expect(await screen.findByRole("button", { name: SESSION.user?.name ?? "" })).toBeVisible();
    },
  );
});
