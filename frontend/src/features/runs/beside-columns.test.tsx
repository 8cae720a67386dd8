import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { boundsIn, csvFigures, Figure, SHARE } from "./beside-columns";

const FOUND = { figures: { recall: [0.92, 1], f1: null }, words: { f1: "It never varies." } };

describe("Figure", () => {
  it("has the interval beside it", () => {
    render(<Figure value={1} bounds={boundsIn(FOUND, "recall")} words={undefined} look={SHARE} />);
    expect(screen.getByTitle("95 % interval 92.0 to 100.0")).toHaveTextContent("100.0");
  });

  it("says why it has no interval", () => {
    render(<Figure value={1} bounds={boundsIn(FOUND, "f1")} words={undefined} look={SHARE} />);
    expect(screen.getByTitle("no interval: It never varies.")).toHaveTextContent("100.0");
  });

  it("stands alone while intervals are computed", () => {
    render(<Figure value={1} bounds={boundsIn(undefined, "f1")} words={undefined} look={SHARE} />);
    expect(screen.queryByTitle(/interval/)).toBeNull();
  });
});

describe("csvFigures", () => {
  it("leaves both ends empty where there is no interval", () => {
    const cells = csvFigures({ recall: 1, f1: 1 }, (figure) => boundsIn(FOUND, figure));
    expect(cells).toEqual({ recall: 1, recall_low: 0.92, recall_high: 1, f1: 1 });
  });
});
