import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { FigureCell, figureCells, LOOKS, makeFigure } from "./figure";

const BOUNDED = makeFigure(1, { low: 0.92, high: 1 });
const UNBOUNDED = makeFigure(1, { why: "never_varies" });

describe("FigureCell", () => {
  it("has the interval beside it", () => {
    render(<FigureCell figure={BOUNDED} look={LOOKS.share} />);
    expect(screen.getByTitle("95 % interval 92.0 to 100.0")).toHaveTextContent("100.0");
  });

  it("says why it has no interval", () => {
    render(<FigureCell figure={UNBOUNDED} look={LOOKS.share} />);
    expect(screen.getByTitle(/^no interval: It does not vary over questions/)).toHaveTextContent("100.0");
  });

  it("has the same in numbers below, with the counts behind it", () => {
    const { container, rerender } = render(
      <FigureCell figure={BOUNDED} look={LOOKS.share} interval="below" counts="12 of 12" />,
    );
    expect(container).toHaveTextContent("100.0, 12 of 12, 95 % interval 92.0 to 100.0");
    rerender(<FigureCell figure={UNBOUNDED} look={LOOKS.share} interval="below" />);
    expect(container).toHaveTextContent(/^100.0, no interval: It does not vary over questions/);
    rerender(<FigureCell figure={undefined} look={LOOKS.share} interval="below" />);
    expect(container).toHaveTextContent(/^–$/);
  });

  it("stands alone while intervals are computed", () => {
    render(<FigureCell figure={makeFigure(1)} look={LOOKS.share} />);
    expect(screen.queryByTitle(/interval/)).toBeNull();
  });
});

describe("figureCells", () => {
  it("leaves both ends empty where there is no interval", () => {
    const cells = figureCells({ recall: BOUNDED, f1: UNBOUNDED }, ["recall", "f1"]);
    expect(cells).toMatchObject({ recall: 1, recall_low: 0.92, recall_high: 1, f1: 1, f1_low: null });
  });
});
