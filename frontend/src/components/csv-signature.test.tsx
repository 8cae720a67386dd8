import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CsvButton } from "./csv-button";

const LINE = "agreement|missing_votes:drop|seed:20231";

async function saved(): Promise<string> {
  const make = vi.spyOn(URL, "createObjectURL").mockReturnValue("#saved");
  await userEvent.click(screen.getByRole("button", { name: /Save as CSV/ }));
  const [file] = make.mock.lastCall ?? [];
  return (file as Blob).text();
}

describe("a table's signature", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is folded below the table and stands in every row of its file", async () => {
    render(<CsvButton name="agreement" rows={[{ kappa: 0.5 }, { kappa: 0.6 }]} signature={LINE} />);
    expect(screen.getByText(LINE)).not.toBeVisible();
    await userEvent.click(screen.getByText("Signature of these numbers"));
    expect(screen.getByText(LINE)).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy the signature" })).toBeVisible();
    expect(await saved()).toContain(`kappa,signature\r\n0.5,${LINE}\r\n0.6,${LINE}\r\n`);
  });

  it("stands beside those of judges whose numbers the table has, and not beside published ones", async () => {
    const judges = [{ name: "Exact match", signature: "judge:exact_match" }];
    const rows = [
      { exact_match: 0.5, published: "" },
      { exact_match: 0.6, published: "Kamalloo" },
    ];
    render(<CsvButton name="leaderboard" rows={rows} signature={LINE} judges={judges} />);
    expect(screen.getByText(/^Exact match:/)).toHaveTextContent("judge:exact_match");
    expect(screen.getByText(LINE)).toBeInTheDocument();
    expect(await saved()).toContain(
      `published,signature of Exact match,signature\r\n0.5,,judge:exact_match,${LINE}\r\n0.6,Kamalloo,,\r\n`,
    );
  });

  it("is each row's own where only judges have lines", async () => {
    const judges = [{ name: "BEM", signature: "judge:bem" }];
    render(<CsvButton name="judges" rows={[{ f1: 0.5, signature: "judge:bem" }]} judges={judges} />);
    expect(screen.getByText(/^BEM:/)).toHaveTextContent("judge:bem");
    expect(await saved()).toContain("f1,signature\r\n0.5,judge:bem\r\n");
  });

  it("is left out where a file has none", async () => {
    render(<CsvButton name="decisions" rows={[{ count: 1 }]} />);
    expect(screen.queryByText(/came about/)).toBeNull();
    expect(await saved()).toContain("count\r\n1\r\n");
  });
});
