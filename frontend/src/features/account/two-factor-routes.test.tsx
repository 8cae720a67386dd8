/** Two-factor authentication on one's own account: set up with a code, recovery codes shown once, turned off. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AppSecret, TwoFactor } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/judging-cast";
import { openApp } from "../../test/open-app";

const OFF: TwoFactor = { is_on: false, turned_on_at: null, recovery_codes_left: 0 };
const ON: TwoFactor = { is_on: true, turned_on_at: "2026-01-01T00:00:00Z", recovery_codes_left: 1 };
const APP: AppSecret = { secret: "ABCDEFGH", address: "otpauth://totp/x", qr_code: "data:image/svg+xml,x" };
const CODES = ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"];

describe("two-factor authentication", () => {
  it("is set up with the password and a code of the app, and then shows the recovery codes once", async () => {
    let state = OFF;
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects": [],
      "GET /api/account/two-factor": () => state,
      "POST /api/account/two-factor": APP,
      "POST /api/account/two-factor/turn-on": () => {
        state = { ...ON, recovery_codes_left: 10 };
        return { codes: CODES };
      },
    });
    openApp("/account");
    await userEvent.click(await screen.findByRole("button", { name: "Set up two-factor authentication" }));
    await userEvent.keyboard("secret{Enter}");
    expect(await screen.findByRole("img", { name: /QR code/ })).toHaveAttribute("src", APP.qr_code);
    expect(screen.getByLabelText("Setup key")).toHaveValue("ABCD EFGH");
    await userEvent.type(screen.getByLabelText("Code from the app"), "123 456");
    await userEvent.click(screen.getByRole("button", { name: "Turn on" }));
    const dialog = await screen.findByRole("dialog", { name: "Save your recovery codes" });
    for (const code of CODES) expect(within(dialog).getByText(code)).toBeVisible();
    await userEvent.click(within(dialog).getByRole("button", { name: "I saved the codes" }));
    expect(screen.queryByText("aaaa-bbbb-cccc-dddd")).toBeNull();
    expect(screen.getByText(/10 recovery codes left/)).toBeVisible();
    const sent = calls.filter((call) => call.method === "POST").map((call) => call.body);
    expect(sent).toEqual([{ password: "secret" }, { code: "123 456" }]);
  });

  it("is turned off with password and code, and says why it was not", async () => {
    const refusal = new FakeError(403, "forbidden", "This code is incorrect.", {}, "wrong_code");
    let reply: unknown = refusal;
    let state = ON;
    startFakeServer({
      ...BASE,
      "GET /api/projects": [],
      "GET /api/account/two-factor": () => state,
      "POST /api/account/two-factor/turn-off": () => reply,
    });
    openApp("/account");
    expect(await screen.findByText(/1 recovery code left/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Turn off two-factor authentication" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("Current password"), "secret");
    expect(within(dialog).getByRole("button", { name: "Turn off" })).toBeDisabled();
    await userEvent.type(within(dialog).getByLabelText(/Code from the app/), "123456");
    await userEvent.click(within(dialog).getByRole("button", { name: "Turn off" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent("This code is incorrect.");
    [reply, state] = [null, OFF];
    await userEvent.click(within(dialog).getByRole("button", { name: "Turn off" }));
    expect(await screen.findByRole("button", { name: "Set up two-factor authentication" })).toBeVisible();
  });
});
