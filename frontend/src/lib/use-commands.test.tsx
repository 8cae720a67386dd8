import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { setShortcutsEnabled } from "./key-settings";
import { useCommands } from "./use-commands";

function Page({ run, enabled = true }: { readonly run: () => void; readonly enabled?: boolean }) {
  useCommands([{ id: "skip", label: "Skip", keys: ["s", "mod+x"], when: () => enabled, run }]);
  return (
    <>
      <input aria-label="Comment" />
      <label>
        <input type="radio" /> Correct
      </label>
      <dialog data-modal />
    </>
  );
}

describe("useCommands", () => {
  it("runs a command by its key", async () => {
    const run = vi.fn();
    render(<Page run={run} />);
    await userEvent.keyboard("s");
    expect(run).toHaveBeenCalledOnce();
  });

  it("is silent while a field has the focus, and Esc leaves the field", async () => {
    const run = vi.fn();
    render(<Page run={run} />);
    await userEvent.type(screen.getByLabelText("Comment"), "singers");
    expect(run).not.toHaveBeenCalled();
    await userEvent.keyboard("{Escape}s");
    expect(screen.getByLabelText("Comment")).not.toHaveFocus();
    expect(run).toHaveBeenCalledOnce();
  });

  it("works while a choice has the focus", async () => {
    const run = vi.fn();
    render(<Page run={run} />);
    await userEvent.click(screen.getByLabelText("Correct"));
    await userEvent.keyboard("s");
    expect(run).toHaveBeenCalledOnce();
  });

  it("is silent while a dialog is open", async () => {
    const run = vi.fn();
    render(<Page run={run} />);
    document.querySelector("dialog")?.showModal();
    await userEvent.keyboard("s");
    expect(run).not.toHaveBeenCalled();
  });

  it("is silent where the command cannot run or keys are turned off", async () => {
    const run = vi.fn();
    const { rerender } = render(<Page run={run} enabled={false} />);
    await userEvent.keyboard("s");
    rerender(<Page run={run} />);
    setShortcutsEnabled(false);
    await userEvent.keyboard("s");
    expect(run).not.toHaveBeenCalled();
  });

  it("keeps keys with Ctrl where single keys are turned off", async () => {
    const run = vi.fn();
    render(<Page run={run} />);
    setShortcutsEnabled(false);
    await userEvent.keyboard("{Control>}x{/Control}");
    expect(run).toHaveBeenCalledOnce();
  });
});
