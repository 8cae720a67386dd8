import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { columnOfFigure, endsWords, FigureCell, figureCells, type Look, LOOKS, makeFigure } from "./figure";
import { formatDifference } from "../lib/numbers";

const BOUNDED = makeFigure(1, { low: 0.92, high: 1 });
const UNBOUNDED = makeFigure(1, { why: "never_varies" });

describe("FigureCell", () => {
  it("has the interval beside it", () => {
    render(<FigureCell figure={BOUNDED} look={LOOKS.share} />);
    expect(screen.getByTitle("95% interval 92.0 to 100.0")).toHaveTextContent("100.0");
  });

  it("says why it has no interval", () => {
    render(<FigureCell figure={UNBOUNDED} look={LOOKS.share} />);
    expect(screen.getByTitle(/^no interval: This figure does not vary across questions/)).toHaveTextContent(
      "100.0",
    );
  });

  it("has the same in numbers below, with the counts behind it", () => {
    const { container, rerender } = render(
      <FigureCell figure={BOUNDED} look={LOOKS.share} interval="below" counts="12 of 12" />,
    );
    expect(container).toHaveTextContent("100.0, 12 of 12, 95% interval 92.0 to 100.0");
    rerender(<FigureCell figure={UNBOUNDED} look={LOOKS.share} interval="below" />);
    expect(container).toHaveTextContent(/^100.0, no interval: This figure does not vary across questions/);
    rerender(<FigureCell figure={undefined} look={LOOKS.share} interval="below" />);
    expect(container).toHaveTextContent(/^–$/);
  });

  it("stands alone while intervals are computed", () => {
    render(<FigureCell figure={makeFigure(1)} look={LOOKS.share} />);
    expect(screen.queryByTitle(/interval/)).toBeNull();
  });
});

describe("the bar of an interval", () => {
  const drawn = (value: number, look: Look) => {
    const figure = makeFigure(value, { low: value - 0.1, high: value + 0.1 });
    const { container } = render(<FigureCell figure={figure} look={look} />);
    const marks = [...container.querySelectorAll<HTMLElement>("[aria-hidden] [style]")];
    return marks.map(({ style }) => style.left);
  };

  it("of a coefficient begins at 0, and is empty below", () => {
    expect(drawn(0.5, LOOKS.coefficient)).toEqual(["40%", "50%"]);
    expect(drawn(-0.05, LOOKS.coefficient)).toEqual([]);
    expect(screen.getByText("−0.05")).toBeInTheDocument();
  });

  it("of a difference marks where there is none", () => {
    expect(drawn(0.2, LOOKS.difference)).toEqual(["50%", "60%", "70%"]);
  });

  it("points on where the value is off the scale, whose ends the heading says", () => {
    const column = columnOfFigure("error_multiple", () => makeFigure(14, { low: 8, high: 20 }));
    expect(column.note).toBe("bar: 0 to 10\u00a0×");
    const { container } = render(<>{column.cell?.({})}</>);
    expect(container.querySelector('[class*="beyond"]')).toHaveStyle({ left: "100%" });
    expect(container.querySelector('[class*="point"]')).toBeNull();
    expect(columnOfFigure("error_multiple", () => null, { interval: "below" }).note).toBeUndefined();
    expect(columnOfFigure("accuracy_all", () => null).note).toBeUndefined();
  });

  it("of a ranking begins at its reverse", () => {
    const figure = makeFigure(-0.5, { low: -0.6, high: -0.4 });
    const column = columnOfFigure("kendall_tau_b", () => figure);
    const { container } = render(<>{column.cell?.({})}</>);
    expect(container.querySelectorAll("[aria-hidden] [style]")).toHaveLength(3);
  });
});

describe("figureCells", () => {
  it("leaves both ends empty where there is no interval", () => {
    const cells = figureCells({ recall: BOUNDED, f1: UNBOUNDED }, ["recall", "f1"]);
    expect(cells).toMatchObject({ recall: 1, recall_low: 0.92, recall_high: 1, f1: 1, f1_low: null });
  });
});

describe("the ends of an interval", () => {
  it("are said once with their unit, and apart where they have signs", () => {
    const ends = { low: 0.034, high: 0.158 };
    expect(endsWords(ends)).toBe("3.4–15.8");
    expect(endsWords(ends, (value) => `${value.toFixed(2)}%`)).toBe("0.03–0.16%");
    expect(endsWords({ low: -0.034, high: 0.158 }, formatDifference)).toBe("−3.4 to +15.8");
    expect(endsWords({ low: null, high: null })).toBe("");
  });

  it("stand below a bar, for eyes alone: those who hear the page have the words", () => {
    const { rerender } = render(<FigureCell figure={BOUNDED} look={LOOKS.share} />);
    expect(screen.getByText("92.0–100.0")).toHaveAttribute("aria-hidden", "true");
    rerender(<FigureCell figure={BOUNDED} look={LOOKS.share} interval="bar-alone" />);
    expect(screen.queryByText("92.0–100.0")).toBeNull();
  });
});
