import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { read } from "../../api/client";
import { BesideChoice } from "./judge-options";

it("offers finished runs that were not told what people decided", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(read("/api/projects/{slug}/runs", { slug: "small" }).queryKey, [
    { id: "R-1", name: "GPT-4", state: "finished", judge: "llm" },
    { id: "R-2", name: "BEM", state: "running", judge: "bem" },
    { id: "R-3", name: "Learned judge with answer memory", state: "finished", judge: "learned_memory" },
  ] as never);
  const onChange = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <BesideChoice slug="small" value="" error={null} onChange={onChange} />
    </QueryClientProvider>,
  );
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["None", "GPT-4"]);
  await userEvent.selectOptions(screen.getByLabelText(/Another judge’s verdicts/), "GPT-4");
  expect(onChange).toHaveBeenCalledWith("R-1");
});
