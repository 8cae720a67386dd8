import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Table } from "./table";
import { Word } from "./tip";

function open() {
  render(
    <p>
      <Word about="A first round." see="organizing#pilot">
        Pilot
      </Word>
      <button type="button">elsewhere</button>
    </p>,
  );
  return screen.getByRole("button", { name: "Pilot" });
}

describe("a word that explains itself", () => {
  // That the pointer may go on to what it says, only a browser can tell: tests/e2e/test_help.py.
  it("does so while it is pointed at", async () => {
    const word = open();
    expect(screen.queryByRole("tooltip")).toBeNull();
    await userEvent.hover(word);
    expect(screen.getByRole("tooltip")).toHaveTextContent("A first round.");
    await userEvent.unhover(word);
    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("does so while it has the focus, and leads by keyboard to where more is said", async () => {
    const word = open();
    await userEvent.tab();
    expect(word).toHaveFocus();
    expect(word).toHaveAccessibleDescription("A first round.");
    await userEvent.tab();
    expect(screen.getByRole("link", { name: "Learn more" })).toHaveFocus();
    expect(screen.getByRole("link")).toHaveAttribute("href", "/help/organizing#pilot");
    await userEvent.tab();
    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("does so when it is tapped, until something else is", async () => {
    const word = open();
    await userEvent.pointer({ keys: "[TouchA]", target: word });
    expect(screen.getByRole("tooltip")).toBeInTheDocument();
    await userEvent.pointer({ keys: "[TouchA]", target: document.body });
    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("does so again at Enter or Space after it was closed", async () => {
    open();
    await userEvent.tab();
    for (const key of ["{Enter}", " "]) {
      await userEvent.keyboard("{Escape}");
      expect(screen.queryByRole("tooltip")).toBeNull();
      await userEvent.keyboard(key);
      expect(screen.getByRole("tooltip")).toBeInTheDocument();
    }
  });

  it("breaks with the line it stands in, as no button element does", () => {
    expect(open().localName).toBe("span");
  });

  it("stops at Escape, which nothing else hears", async () => {
    const word = open();
    const heard: string[] = [];
    document.body.addEventListener("keydown", ({ key }) => heard.push(key));
    await userEvent.hover(word);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("tooltip")).toBeNull();
    expect(heard).toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(heard).toEqual(["Escape"]);
  });
});

describe("a header that explains itself", () => {
  const columns = [
    { key: "name", header: "Name", value: (row: { name: string }) => row.name },
    { key: "f1", header: "F1", value: () => 1, explains: { about: "Both in one." } },
  ];
  const rows = [{ name: "a" }];

  it("sorts all the same", async () => {
    render(<Table caption="Judges" columns={columns} rows={rows} rowKey={({ name }) => name} />);
    await userEvent.tab();
    await userEvent.click(screen.getByRole("button", { name: "F1" }));
    expect(screen.getByRole("columnheader", { name: /F1/ })).toHaveAttribute("aria-sort", "ascending");
    expect(screen.getByRole("tooltip")).toHaveTextContent("Both in one.");
  });

  it("is a word like any other where nothing sorts", async () => {
    render(<Table caption="Judges" keepsOrder columns={columns} rows={rows} rowKey={({ name }) => name} />);
    await userEvent.hover(screen.getByRole("button", { name: "F1" }));
    expect(screen.getByRole("tooltip")).toHaveTextContent("Both in one.");
  });
});
