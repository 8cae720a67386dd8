import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Connection, OfferedApi, Trial } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { PROJECT, SESSION } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const CONNECTION: Connection = {
  id: "c1",
  name: "Haiku",
  api: "anthropic",
  base_url: "https://api.anthropic.com",
  endpoint: "chat",
  model: "claude-x",
  parameters: {},
  has_key: true,
  key_last_four: "wxyz",
  input_price: "1",
  output_price: "5",
  requests_per_minute: null,
  parallel_calls: 4,
  timeout_seconds: 60,
  spend_cap: null,
  spent: "0",
  reserved: "0",
  rests_until: null,
  archived_at: null,
  created_at: "2026-05-04T08:00:00Z",
};

const APIS: readonly OfferedApi[] = [
  { key: "openai", name: "OpenAI-compatible", base_url: "", cure: "", parameters: ["top_p"], models: [] },
  {
    key: "anthropic",
    name: "Anthropic",
    base_url: "https://api.anthropic.com",
    cure: "make anthropic",
    parameters: ["thinking"],
    models: [],
  },
  {
    key: "gemini",
    name: "Gemini",
    base_url: "https://generativelanguage.googleapis.com",
    cure: "",
    parameters: ["thinking_budget"],
    models: [],
  },
  {
    key: "transformers",
    name: "Local model (transformers)",
    base_url: "",
    cure: "",
    parameters: ["enable_thinking"],
    models: ["qwen", "smol"],
  },
];

const LIST = "/api/projects/nq/connections";

const LOCAL: Connection = {
  ...CONNECTION,
  name: "Small",
  api: "transformers",
  base_url: "",
  model: "smol",
  has_key: false,
  key_last_four: "",
};

const TRIAL: Trial = {
  works: true,
  error: "",
  model: "smol",
  reply: "",
  seconds: null,
  input_tokens: 0,
  output_tokens: 0,
};

function server(connections: readonly Connection[] = []) {
  return startFakeServer({
    "GET /api/session": SESSION,
    "GET /api/projects/nq": PROJECT,
    [`GET ${LIST}`]: connections,
    "GET /api/projects/nq/model-apis": APIS,
    [`POST ${LIST}`]: CONNECTION,
    [`PATCH ${LIST}/c1`]: CONNECTION,
    [`POST ${LIST}/c1/test`]: TRIAL,
  });
}

async function openDialog(button: string) {
  openApp("/nq/runs/connections");
  await userEvent.click(await screen.findByRole("button", { name: button }));
  return within(await screen.findByRole("dialog"));
}

describe("Connections", () => {
  it("take API and address from the provider that is chosen", async () => {
    const calls = server();
    const dialog = await openDialog("Connect a model");
    await userEvent.selectOptions(dialog.getByLabelText("Provider"), "gemini");
    expect(dialog.getByLabelText("API")).toHaveValue("gemini");
    await userEvent.type(dialog.getByLabelText("Model"), "gemini-x");
    await userEvent.click(dialog.getByRole("button", { name: "Connect" }));
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({
      api: "gemini",
      base_url: "https://generativelanguage.googleapis.com",
      endpoint: "chat",
      name: "Google Gemini",
    });
  });

  it("fill in the address of an API, and keep one that was typed", async () => {
    server();
    const dialog = await openDialog("Connect a model");
    const address = dialog.getByLabelText("Address (base URL)");
    await userEvent.selectOptions(dialog.getByLabelText("API"), "gemini");
    expect(address).toHaveValue("https://generativelanguage.googleapis.com");
    await userEvent.selectOptions(dialog.getByLabelText("API"), "anthropic");
    expect(address).toHaveValue("https://api.anthropic.com");
    await userEvent.clear(address);
    await userEvent.type(address, "https://gateway.example.org");
    await userEvent.selectOptions(dialog.getByLabelText("API"), "gemini");
    expect(address).toHaveValue("https://gateway.example.org");
  });

  it("say what installs a library that is missing", async () => {
    server();
    const dialog = await openDialog("Connect a model");
    expect(dialog.queryByText("make anthropic")).toBeNull();
    await userEvent.selectOptions(dialog.getByLabelText("API"), "anthropic");
    expect(dialog.getByText("This API needs an extra package")).toBeVisible();
    expect(dialog.getByText("make anthropic")).toBeVisible();
  });

  it("offer another endpoint than chat, and other parameters, only where the API has them", async () => {
    server();
    const dialog = await openDialog("Connect a model");
    await userEvent.click(dialog.getByText("Rate limits and additional parameters"));
    expect(dialog.getByLabelText("Endpoint")).toBeVisible();
    expect(dialog.getByText("Possible parameters: top_p")).toBeVisible();
    await userEvent.selectOptions(dialog.getByLabelText("API"), "gemini");
    expect(dialog.queryByLabelText("Endpoint")).toBeNull();
    expect(dialog.getByText("Possible parameters: thinking_budget")).toBeVisible();
  });

  it("name an API of its own in the list, and keep it when something else changes", async () => {
    const calls = server([CONNECTION]);
    const dialog = await openDialog("Change");
    expect(screen.getByText(/Anthropic API, https:\/\/api\.anthropic\.com/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    expect(bodiesOf(calls, "PATCH")[0]).toMatchObject({ api: "anthropic", name: "Haiku" });
    expect(bodiesOf(calls, "PATCH")[0]).not.toHaveProperty("key");
  });

  it("to a local model offer the administrator’s models, and ask for neither address nor key nor price", async () => {
    const calls = server();
    const dialog = await openDialog("Connect a model");
    await userEvent.selectOptions(dialog.getByLabelText("Provider"), "transformers");
    for (const label of ["Address (base URL)", "API key", "Input price", "Spending limit"])
      expect(dialog.queryByLabelText(label)).toBeNull();
    await userEvent.selectOptions(dialog.getByLabelText("Model"), "smol");
    await userEvent.click(dialog.getByRole("button", { name: "Connect" }));
    expect(bodiesOf(calls, "POST")[0]).toMatchObject({ api: "transformers", base_url: "", model: "smol" });
  });

  it("to a local model say that it is offered, not what it replied", async () => {
    server([LOCAL]);
    openApp("/nq/runs/connections");
    expect(await screen.findByText("Local model (transformers)")).toBeInTheDocument();
    expect(screen.queryByText(/no key|spent/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Test" }));
    expect(await screen.findByText(/smol is offered on this server/)).toBeInTheDocument();
  });
});
