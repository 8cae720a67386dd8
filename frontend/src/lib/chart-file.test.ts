import { describe, expect, it } from "vitest";
import { standaloneChart, wrapped } from "./chart-file";

const TOKENS: Readonly<Record<string, string>> = {
  "var(--chart-1)": "rgb(36, 80, 181)",
  currentColor: "rgb(27, 29, 34)",
  "color-mix(in srgb, var(--chart-1) 50%, transparent)": "color(srgb 0.2 0.4 0.6 / 0.5)",
};
const colorOf = (css: string) => TOKENS[css] ?? css;
const WORDS = {
  title: "Rank of each system",
  note: "12 systems, 301 questions",
  origin: "/nq301/leaderboard",
};

function fileOf(inside: string, words = WORDS) {
  const chart = new DOMParser().parseFromString(
    `<figure xmlns="http://www.w3.org/1999/xhtml">${inside}</figure>`,
    "application/xhtml+xml",
  ).documentElement;
  const file = standaloneChart(chart, words, colorOf);
  const parsed = new DOMParser().parseFromString(file.text, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  return { ...file, root: parsed.documentElement };
}

const picture = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" class="plot" width="400" height="200" fill="currentColor">${inside}</svg>`;

describe("standaloneChart", () => {
  it("says title, note and origin, on white, in a size that holds them all", () => {
    const { root, width, height } = fileOf(picture("<text>EMDR2</text>"));
    expect([...root.querySelectorAll("text")].map((text) => text.textContent)).toEqual([
      "Rank of each system",
      "12 systems, 301 questions",
      "EMDR2",
    ]);
    expect(root.querySelector("title")?.textContent).toBe("Rank of each system");
    expect(root.querySelector("desc")?.textContent).toBe("/nq301/leaderboard");
    expect(root.querySelector("rect")?.getAttribute("fill")).toBe("#ffffff");
    expect(root.getAttribute("font-family")).toContain("Helvetica");
    expect(width).toBe(432);
    expect(height).toBe(16 + 19 + 16 + 8 + 200 + 16);
  });

  it("makes plain colors of variables, mixtures and the current color", () => {
    const mixed = "color-mix(in srgb, var(--chart-1) 50%, transparent)";
    const { text, root } = fileOf(
      picture(`<path stroke="var(--chart-1)" d="M0,0"/><circle fill="${mixed}" fill-opacity="0.5" r="2"/>`),
    );
    expect(text).not.toMatch(/var\(|color-mix|currentColor/);
    expect(root.querySelector("path")?.getAttribute("stroke")).toBe("#2450b5");
    expect(root.querySelector("circle")?.getAttribute("fill")).toBe("#336699");
    expect(root.querySelector("circle")?.getAttribute("fill-opacity")).toBe("0.25");
  });

  it("asks for nothing outside the file", () => {
    const { text, root } = fileOf(
      picture(
        `<style>@import "https://a.example/x.css"</style><image href="https://a.example/x.png"/>` +
          `<a xlink:href="https://a.example" onclick="x()"><text>kept</text></a><script>x()</script>` +
          `<foreignObject/><g clip-path="url(#own)"/><rect fill="url(https://a.example/#x)"/>`,
      ),
    );
    expect(text.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:|script|href|onclick|style=/,
    );
    expect(root.querySelector("[clip-path]")?.getAttribute("clip-path")).toBe("url(#own)");
    expect(text).toContain("kept");
  });

  it("writes the legend that stands beside the picture as HTML", () => {
    const swatch = (fill: string, word: string) =>
      `<span class="plot-x-swatch"><svg xmlns="http://www.w3.org/2000/svg" width="15" height="15" fill="${fill}"/>${word}</span>`;
    const { root } = fileOf(
      `<div class="plot-x-swatches">${swatch("var(--chart-1)", "Exact match")}</div>${picture("")}`,
    );
    expect(root.querySelectorAll("rect")[1]?.getAttribute("fill")).toBe("#2450b5");
    expect([...root.querySelectorAll("text")].at(-1)?.textContent).toBe("Exact match");
  });

  it("takes names for text, whatever they hold", () => {
    const words = { ...WORDS, title: '<script>alert("x")</script> & \u0000\u0008\uD800<b>' };
    const { root } = fileOf(picture(""), words);
    expect(root.querySelector("script")).toBeNull();
    expect(root.querySelector("text")?.textContent).toBe('<script>alert("x")</script> & <b>');
  });

  it("leaves out what the pointer shows", () => {
    const { root } = fileOf(picture('<g aria-label="tip"><text>EMDR2: 4</text></g>'));
    expect(root.textContent).not.toContain("EMDR2");
  });
});

describe("wrapped", () => {
  it("breaks between words and leaves long ones whole", () => {
    expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapped("abcdefghij kl", 4)).toEqual(["abcdefghij", "kl"]);
    expect(wrapped("", 4)).toEqual([]);
  });
});
