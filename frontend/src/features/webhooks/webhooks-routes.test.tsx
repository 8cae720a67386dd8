import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { DeliveryRecord, Endpoint } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { PROJECT, SESSION } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const WEBHOOK: Endpoint = {
  id: "w1",
  url: "https://hooks.example.org/assay",
  events: ["item.decided", "export.ready"],
  is_on: true,
  off_since: null,
  off_reason: "",
  failures: 0,
  failing_since: null,
  former_secret_until: null,
  created_at: "2026-05-04T08:00:00Z",
};

const DELIVERY: DeliveryRecord = {
  id: "d1",
  event: "item.decided",
  state: "delivered",
  tries: 1,
  status: 204,
  error: "",
  created_at: "2026-05-04T08:00:00Z",
  next_try_at: null,
  finished_at: "2026-05-04T08:00:01Z",
};

const LIST = "/api/projects/nq/webhooks";
const ONE = `${LIST}/w1`;

function server(webhooks: unknown = [WEBHOOK], replies: Readonly<Record<string, unknown>> = {}) {
  return startFakeServer({
    "GET /api/session": SESSION,
    "GET /api/projects/nq": PROJECT,
    [`GET ${LIST}`]: webhooks,
    [`GET ${ONE}/deliveries`]: [DELIVERY],
    ...replies,
  });
}

async function open() {
  openApp("/nq/settings/webhooks");
  await screen.findByRole("heading", { name: "Webhooks" });
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

describe("Webhooks", () => {
  it("are explained where there is none", async () => {
    server([]);
    await open();
    expect(await screen.findByRole("heading", { name: "No webhooks yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "How webhooks work" })).toHaveAttribute(
      "href",
      "/help/api#webhooks",
    );
  });

  it("are added with the events that are chosen, and the secret is shown once", async () => {
    const user = userEvent.setup();
    let list: readonly Endpoint[] = [];
    const calls = server(() => list, {
      [`POST ${LIST}`]: () => {
        list = [WEBHOOK];
        return { webhook: WEBHOOK, secret: "whsec_abc" };
      },
    });
    await open();
    await press("Add webhook");
    const dialog = await screen.findByRole("dialog");
    const add = within(dialog).getByRole("button", { name: "Add" });
    expect(add).toBeDisabled();
    await userEvent.type(within(dialog).getByLabelText("URL"), ` ${WEBHOOK.url} `);
    await userEvent.click(within(dialog).getByLabelText("More answers are waiting for adjudication"));
    await userEvent.click(within(dialog).getByLabelText("A judge run finished, failed, or was paused"));
    await userEvent.click(add);
    expect(await screen.findByLabelText("Secret")).toHaveValue("whsec_abc");
    expect(bodiesOf(calls, "POST")).toEqual([{ url: WEBHOOK.url, events: ["item.decided", "export.ready"] }]);
    await user.click(screen.getByRole("button", { name: "Copy secret" }));
    expect(await navigator.clipboard.readText()).toBe("whsec_abc");
    await press("Done");
    expect(screen.queryByDisplayValue("whsec_abc")).toBeNull();
    expect(await screen.findByRole("heading", { name: WEBHOOK.url })).toBeVisible();
  });

  it("say at the field, and only there, why an address is refused", async () => {
    const why = "Use an address that begins with https.";
    server([], {
      [`POST ${LIST}`]: new FakeError(400, "invalid", why, { fields: { url: [why] } }, "unusable_webhook"),
    });
    await open();
    await press("Add webhook");
    await userEvent.type(await screen.findByLabelText("URL"), "ftp://a{Enter}");
    expect(await screen.findByText(why)).toBeVisible();
    expect(screen.getByLabelText("URL")).toHaveAccessibleDescription(expect.stringContaining(why));
  });

  it("say below the form what is about no field", async () => {
    const why = "This project has 5 webhooks, which is the maximum. Delete one first.";
    server([], { [`POST ${LIST}`]: new FakeError(409, "conflict", why, {}, "too_many_webhooks") });
    await open();
    await press("Add webhook");
    await userEvent.type(await screen.findByLabelText("URL"), "https://a.example{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(why);
  });

  it.each([
    [{}, "Active"],
    [{ failures: 2, failing_since: "2026-05-04T08:00:00Z" }, "Failing"],
    [{ is_on: false, off_since: "2026-05-04T08:00:00Z" }, "Turned off"],
  ])("say how they stand: %j is %s", async (changes, state) => {
    server([{ ...WEBHOOK, ...changes }]);
    await open();
    expect(await screen.findByText(state)).toBeVisible();
  });

  it("say since when they fail, and why they were turned off", async () => {
    const failing = { ...WEBHOOK, failures: 2, failing_since: "2026-05-04T08:00:00Z" };
    const reason = "Too many attempts in a row failed.";
    const off = { ...failing, id: "w2", is_on: false, off_since: "2026-05-05T08:00:00Z", off_reason: reason };
    server([failing, off], { [`GET ${LIST}/w2/deliveries`]: [] });
    await open();
    expect(
      await screen.findByText(/^Failing since May 4, 2026, .*2 attempts in a row failed\.$/),
    ).toBeVisible();
    expect(screen.getByText(reason, { exact: false })).toBeVisible();
    expect(await screen.findByText("Nothing has been sent in the last 30 days.")).toBeVisible();
    expect(screen.getAllByRole("button", { name: "Send test message" })).toHaveLength(1);
  });

  it("list what was sent, and try what was given up again", async () => {
    const failed = {
      state: "given_up",
      status: 500,
      error: "The receiver responded with status 500.",
      tries: 6,
    } as const;
    const waiting = { state: "waiting", next_try_at: "2999-01-01T00:00:00Z", finished_at: null } as const;
    const calls = server([WEBHOOK], {
      [`GET ${ONE}/deliveries`]: [
        { ...DELIVERY, ...failed },
        { ...DELIVERY, ...waiting, id: "d2", status: null, error: "The receiver could not be reached." },
        { ...DELIVERY, id: "d3", event: "webhook.test" },
        { ...DELIVERY, id: "d4", event: "export.ready" },
      ],
      [`POST ${ONE}/deliveries/d1/retry`]: DELIVERY,
    });
    await open();
    const table = await screen.findByRole("table", { name: `Recent messages to ${WEBHOOK.url}` });
    const [first, second, third] = within(table).getAllByRole("row").slice(1);
    expect(first).toHaveTextContent(/Failed5006The receiver responded with status 500\./);
    expect(second).toHaveTextContent(/Next attempt in .*–1The receiver could not be reached\./);
    expect(third).toHaveTextContent(/Test messageDelivered2041/);
    expect(within(table).getAllByRole("row")).toHaveLength(4);
    await press("Show 1 older message");
    expect(within(table).getAllByRole("row")).toHaveLength(5);
    await press("Try again");
    await waitFor(() => expect(bodiesOf(calls, "POST")).toHaveLength(1));
  });

  it("are sent a test, whose delivery is asked for until it is there", async () => {
    const sending = { ...DELIVERY, event: "webhook.test", state: "waiting", tries: 0, status: null };
    const replies = [[], [sending], [{ ...DELIVERY, event: "webhook.test" }]];
    server([WEBHOOK], {
      [`POST ${ONE}/test`]: sending,
      [`GET ${ONE}/deliveries`]: () => (replies.length > 1 ? replies.shift() : replies[0]),
    });
    await open();
    expect(await screen.findByText("Nothing has been sent in the last 30 days.")).toBeVisible();
    await press("Send test message");
    expect(await screen.findByText("Sending")).toBeVisible();
    expect(await screen.findByText("Delivered", {}, { timeout: 5_000 })).toBeVisible();
  });

  it("are turned off and on, and take other events", async () => {
    let webhook: Endpoint = WEBHOOK;
    const calls = server(() => [webhook], {
      [`PATCH ${ONE}`]: ({ body }: { body: unknown }) => (webhook = { ...webhook, ...(body as object) }),
    });
    await open();
    await press("Turn off");
    await press("Turn on");
    await screen.findByRole("button", { name: "Turn off" });
    await press("Edit events");
    const dialog = await screen.findByRole("dialog");
    await userEvent.click(within(dialog).getByLabelText("An export is ready to download"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodiesOf(calls, "PATCH")).toEqual([
      { is_on: false },
      { is_on: true },
      { events: ["item.decided"] },
    ]);
  });

  it("get a new secret and are deleted once that is confirmed", async () => {
    const calls = server([WEBHOOK], {
      [`POST ${ONE}/rotate`]: { webhook: WEBHOOK, secret: "whsec_new" },
      [`DELETE ${ONE}`]: {},
    });
    await open();
    await press("Rotate secret");
    await userEvent.click(
      within(await screen.findByRole("dialog")).getByRole("button", { name: "Rotate secret" }),
    );
    expect(await screen.findByLabelText("Secret")).toHaveValue("whsec_new");
    await press("Done");
    await press("Delete");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Webhook deleted.")).toBeVisible();
    expect(bodiesOf(calls, "DELETE")).toHaveLength(1);
  });
});
