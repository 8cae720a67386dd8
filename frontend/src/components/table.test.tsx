import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Column, numberColumn, Table } from "./table";

interface Row {
  readonly name: string;
  readonly judged: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "name", header: "Annotator", value: ({ name }) => name },
  numberColumn("judged", "Judged", ({ judged }) => judged),
];
const ROWS = [
  { name: "Ann", judged: 3 },
  { name: "Bo", judged: 5 },
];

interface More {
  folds?: boolean;
  keepsOrder?: boolean;
  groupOf?: (row: Row) => string;
}

function show(more: More = {}) {
  render(<Table caption="Annotators" columns={COLUMNS} rows={ROWS} rowKey={({ name }) => name} {...more} />);
}

const names = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);

describe("a heading", () => {
  it("gets more room on a phone where it is long", () => {
    const long = numberColumn<Row>("share", "Accepted per 100 incorrect", ({ judged }) => judged);
    render(
      <Table caption="Annotators" columns={[...COLUMNS, long]} rows={ROWS} rowKey={({ name }) => name} />,
    );
    const looks = screen.getAllByRole("columnheader").map(({ className }) => /long/.test(className));
    expect(looks).toEqual([false, false, true]);
  });
});

describe("a table whose rows stand in groups", () => {
  it("names each group once and sorts within it", async () => {
    show({ groupOf: ({ name }) => (name === "Ann" ? "New" : "Old") });
    const lines = () => screen.getAllByRole("row").map(({ textContent }) => textContent);
    expect(lines().slice(1)).toEqual(["New", "Ann3", "Old", "Bo5"]);
    await userEvent.click(screen.getByRole("button", { name: "Judged" }));
    expect(lines().slice(1)).toEqual(["New", "Ann3", "Old", "Bo5"]);
  });
});

describe("a table whose rows fold on a phone", () => {
  it("is sorted by a choice, as there are no headers to press", async () => {
    show({ folds: true });
    const choice = screen.getByLabelText("Sort by");
    expect(
      within(choice)
        .getAllByRole("option")
        .map(({ textContent }) => textContent),
    ).toEqual(["Default order", "Annotator ↓", "Annotator ↑", "Judged ↓", "Judged ↑"]);
    await userEvent.selectOptions(choice, "Judged ↓");
    expect(names()).toEqual(["Bo", "Ann"]);
    await userEvent.selectOptions(choice, "Judged ↑");
    expect(names()).toEqual(["Ann", "Bo"]);
  });

  it("offers no order where the rows keep theirs, and none where headers stay", () => {
    show({ folds: true, keepsOrder: true });
    show();
    expect(screen.queryByLabelText("Sort by")).toBeNull();
  });
});

describe("a table that is wider than the page", () => {
  afterEach(() => vi.restoreAllMocks());

  it("says so to screen readers, and by the edge where something is out of sight", () => {
    vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(900);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(300);
    show();
    const region = screen.getByRole("region", { name: "Annotators, scrolls sideways" });
    expect(region.parentElement).toHaveAttribute("data-after");
    expect(region.parentElement).not.toHaveAttribute("data-before");
    region.scrollLeft = 600;
    act(() => void region.dispatchEvent(new Event("scroll")));
    expect(region.parentElement).toHaveAttribute("data-before");
    expect(region.parentElement).not.toHaveAttribute("data-after");
  });

  it("says nothing where all is in sight", () => {
    show();
    expect(screen.getByRole("region", { name: "Annotators" })).toBeVisible();
  });
});
