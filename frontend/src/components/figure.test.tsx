import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { FigureCell, figureCells, LOOKS, plainFigure, whyWords } from "./figure";

const BOUNDED = { value: 1, low: 0.92, high: 1, why: null };
const UNBOUNDED = { ...plainFigure(1), why: "never_varies" } as const;

describe("FigureCell", () => {
  it("has the interval beside it", () => {
    render(<FigureCell {...BOUNDED} words={whyWords(BOUNDED)} look={LOOKS.share} />);
    expect(screen.getByTitle("95 % interval 92.0 to 100.0")).toHaveTextContent("100.0");
  });

  it("says why it has no interval", () => {
    render(<FigureCell {...UNBOUNDED} words={whyWords(UNBOUNDED)} look={LOOKS.share} />);
    expect(screen.getByTitle(/^no interval: No question moves it/)).toHaveTextContent("100.0");
  });

  it("stands alone while intervals are computed", () => {
    render(<FigureCell {...plainFigure(1)} words={undefined} look={LOOKS.share} />);
    expect(screen.queryByTitle(/interval/)).toBeNull();
  });
});

describe("figureCells", () => {
  it("leaves both ends empty where there is no interval", () => {
    const cells = figureCells({ recall: BOUNDED, f1: UNBOUNDED }, ["recall", "f1"]);
    expect(cells).toMatchObject({ recall: 1, recall_low: 0.92, recall_high: 1, f1: 1, f1_low: null });
  });
});
