import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ToastProvider, useToast } from "./toast";

function Teller() {
  const show = useToast();
  return (
    <main id="main">
      <button type="button" onClick={() => show({ text: "Policy saved." })}>
        Save
      </button>
    </main>
  );
}

async function topAt(top: number): Promise<string> {
  render(
    <ToastProvider>
      <Teller />
    </ToastProvider>,
  );
  vi.spyOn(screen.getByRole("main"), "getBoundingClientRect").mockReturnValue(new DOMRect(0, top, 800, 600));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("Policy saved.")).toBeVisible();
  return screen.getByRole("status").style.getPropertyValue("--page-top");
}

describe("a note", () => {
  afterEach(() => vi.restoreAllMocks());

  it("stands below the navigation, which it would cover", async () => {
    expect(await topAt(125)).toBe("125px");
  });

  it("stays in the window where the navigation was scrolled away", async () => {
    expect(await topAt(-640)).toBe("0px");
  });
});
