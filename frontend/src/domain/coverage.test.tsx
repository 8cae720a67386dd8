import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { UnevenCoverage } from "./coverage";

function said(names: readonly string[], fewest = 301, most = 301) {
  const coverage = { systems: 12, common: 301, uneven: 3309, behind: names.length, fewest, most };
  return render(<UnevenCoverage coverage={{ ...coverage, behind_names: [...names] }} questions={3610} />);
}

describe("systems that answer fewer questions", () => {
  it.each([
    [[], 301, ""],
    [["A"], 301, "A answers only 301 of 3,610 questions."],
    [["A", "B", "C"], 2900, "A, B and C answer only 301 to 2,900 of 3,610 questions."],
    [["A", "B", "C", "D"], 301, "A, B, C and 1 other system answer only 301 of 3,610 questions."],
  ])("are named: %j", (names, most, words) => {
    expect(said(names, 301, most).container).toHaveTextContent(words);
  });

  it("are all named where the rest is asked for", async () => {
    said(["A", "B", "C", "D", "E"]);
    await userEvent.tab();
    expect(screen.getByRole("button", { name: "2 other systems" })).toHaveFocus();
    expect(screen.getByText("D, E")).toBeInTheDocument();
  });
});
