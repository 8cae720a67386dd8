import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";

import { CopyButton } from "./button";

const LINKS = "https://assay.example/join/a\nhttps://assay.example/join/b";

function keepClipboard(olderWay: boolean) {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("Not allowed."));
  const execCommand = vi.fn(() => olderWay);
  Object.assign(document, { execCommand });
  return execCommand;
}

describe("a button that copies", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    Reflect.deleteProperty(document, "execCommand");
  });

  it("copies", async () => {
    const user = userEvent.setup();
    render(<CopyButton text={LINKS} name="all links" />);
    await user.click(screen.getByRole("button", { name: "Copy all links" }));
    expect(await screen.findByText("Copied")).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(LINKS);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("copies the older way where the browser keeps its clipboard, and shows no text then", async () => {
    const user = userEvent.setup();
    const execCommand = keepClipboard(true);
    render(<CopyButton text={LINKS} name="all links" />);
    await user.click(screen.getByRole("button", { name: "Copy all links" }));
    expect(await screen.findByText("Copied")).toBeVisible();
    expect(execCommand).toHaveBeenCalledWith("copy");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.getByRole("button")).toHaveFocus();
  });

  it("selects the text where the browser does not copy at all", async () => {
    const user = userEvent.setup();
    keepClipboard(false);
    render(<CopyButton text={LINKS} name="all links" />);
    await user.click(screen.getByRole("button", { name: "Copy all links" }));
    const field = await screen.findByRole<HTMLTextAreaElement>("textbox");
    expect(field).toHaveValue(LINKS);
    expect(field).toHaveFocus();
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe(LINKS);
    expect(screen.queryByText("Copied")).toBeNull();
  });
});
