import { describe, expect, it } from "vitest";
import { onPaper, plainColor } from "./chart-file";

describe("plainColor", () => {
  it("writes what browsers compute as six digits", () => {
    expect(plainColor("rgb(36, 80, 181)")).toEqual({ color: "#2450b5", opacity: 1 });
    expect(plainColor("rgba(255, 0, 9, 0.25)")).toEqual({ color: "#ff0009", opacity: 0.25 });
    expect(plainColor("rgb(255 0 9 / 50%)")).toEqual({ color: "#ff0009", opacity: 0.5 });
  });

  it("reads mixed colors, whose channels are shares", () => {
    expect(plainColor("color(srgb 1 0.5 0 / 0.4)")).toEqual({ color: "#ff8000", opacity: 0.4 });
  });

  it("leaves what it does not know", () => {
    expect(plainColor("#123456")).toEqual({ color: "#123456", opacity: 1 });
    expect(plainColor("none")).toEqual({ color: "none", opacity: 1 });
  });
});

// What variables come to is asked of a real browser, in tests/e2e/test_chart_files.py.
describe("onPaper", () => {
  it("asks an element of the light scheme and leaves nothing behind", () => {
    const seen = onPaper((colorOf) => [
      document.querySelectorAll('[data-scheme="paper"]').length,
      colorOf("rgb(1, 2, 3)"),
    ]);
    expect(seen).toEqual([1, "rgb(1, 2, 3)"]);
    expect(document.querySelector("[data-scheme]")).toBeNull();
  });
});
