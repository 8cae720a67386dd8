import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Session, User } from "../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../test/fake-server";
import { PROJECT } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const ANNA: User = { public_id: "u1", username: "anna", name: "Anna", language: "" };

/** Keeps what is changed, as the server does. */
function accountServer(user: User) {
  let kept = user;
  return startFakeServer({
    "GET /api/session": (): Session => ({ user: kept, csrf_token: "token" }),
    "GET /api/projects": [],
    "PATCH /api/account": ({ body }: { body: unknown }) => (kept = { ...kept, ...(body as Partial<User>) }),
  });
}

describe("the language of the pages", () => {
  it("is chosen on the account page, kept with the account and in force at once", async () => {
    const calls = accountServer(ANNA);
    openApp("/account");
    await userEvent.selectOptions(await screen.findByLabelText("Page language"), "Deutsch");
    expect(await screen.findByRole("heading", { name: "Ihr Konto" })).toBeVisible();
    expect(await screen.findByText("Die Sprache wurde geändert.")).toBeVisible();
    expect(screen.getByLabelText("Sprache der Seiten")).toHaveValue("de");
    expect(bodiesOf(calls, "PATCH")[0]).toEqual({ language: "de" });
    expect(document.documentElement.lang).toBe("de");
    await userEvent.selectOptions(screen.getByLabelText("Sprache der Seiten"), "English");
    expect(await screen.findByRole("heading", { name: "Your account" })).toBeVisible();
  });

  it("is the account's before anything is shown", async () => {
    accountServer({ ...ANNA, language: "de" });
    openApp("/");
    expect(await screen.findByText("Noch keine Projekte")).toBeVisible();
    expect(document.title).toBe("Projekte · Assay");
  });

  it("is the browser's where nobody is signed in, and errors are said in it by their code", async () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["de-AT", "en"]);
    startFakeServer({
      "GET /api/session": { user: null, csrf_token: "token" },
      "POST /api/session": new FakeError(403, "forbidden", "They do not match.", {}, "wrong_credentials"),
    });
    openApp("/sign-in");
    await userEvent.type(await screen.findByLabelText("Benutzername"), "anna");
    await userEvent.type(screen.getByLabelText("Passwort"), "falsch{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("passen nicht zusammen");
  });

  it("is told to the server with every request", async () => {
    accountServer({ ...ANNA, language: "de" });
    const fetching = vi.mocked(globalThis.fetch);
    openApp("/account");
    await screen.findByRole("heading", { name: "Ihr Konto" });
    await waitFor(() => {
      const last = fetching.mock.lastCall?.[0] as Request;
      expect(last.headers.get("Accept-Language")).toBe("de");
    });
  });

  it.each([
    ["/new", "en"],
    ["/nq/queue", "en"],
    ["/nq/people", "en"],
    ["/nq/settings", "en"],
    ["/nq/settings/webhooks", "de"],
    ["/account", "de"],
    ["/nq/judged", "de"],
  ])("is not said of what stands in another: %s is %s", async (address, language) => {
    startFakeServer({
      "GET /api/session": { user: { ...ANNA, language: "de" }, csrf_token: "token" },
      "GET /api/projects/nq": PROJECT,
    });
    openApp(address);
    const main = await screen.findByRole("main");
    expect(main.closest("[lang]")).toHaveAttribute("lang", language);
    expect(document.documentElement.lang).toBe("de");
  });

  it("stays that of a shared part in a page in another", async () => {
    startFakeServer({
      "GET /api/session": { user: { ...ANNA, language: "de" }, csrf_token: "token" },
      "GET /api/projects/nq": PROJECT,
      "GET /api/projects/nq/protocol": new FakeError(500, "bug", "Something went wrong."),
    });
    openApp("/nq/protocol");
    const complaint = (await screen.findByText("Assay hat einen Fehler gemacht")).closest("[lang]");
    expect(complaint).toHaveAttribute("lang", "de");
  });
});
