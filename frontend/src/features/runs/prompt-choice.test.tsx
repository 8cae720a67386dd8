import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { read } from "../../api/client";
import { PromptChoice } from "./prompt-choice";

async function show(value: string, maxTokens: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const prompt = { built_in: true, name: "A prompt", key: "a", version: 1 };
  client.setQueryData(read("/api/projects/{slug}/prompts", { slug: "small" }).queryKey, [
    { ...prompt, reference: "brief@1", reply_tokens: 100 },
    { ...prompt, reference: "thoughts@1", reply_tokens: 600 },
  ] as never);
  const onAllow = vi.fn();
  const page = () => (
    <QueryClientProvider client={client}>
      <PromptChoice slug="small" value={value} maxTokens={maxTokens} onChange={vi.fn()} onAllow={onAllow} />
    </QueryClientProvider>
  );
  const routeTree = createRootRoute({ component: page });
  render(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />);
  await screen.findByLabelText("Prompt");
  return onAllow;
}

it("offers room for replies that would be cut off", async () => {
  const onAllow = await show("thoughts@1", "100");
  expect(screen.getByText(/may need 600 tokens, but the limit is 100/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Allow 600 tokens" }));
  expect(onAllow).toHaveBeenCalledWith("600");
});

it.each([
  ["brief@1", "100"],
  ["thoughts@1", "600"],
  ["thoughts@1", "many"],
])("says nothing of %s with %s tokens", async (value, maxTokens) => {
  await show(value, maxTokens);
  expect(screen.queryByText(/may need/)).toBeNull();
});
