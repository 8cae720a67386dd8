import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { beginningOf, PassageList } from "./passages";

const SHORT = { text: "Rome is old.", title: "Rome", source: "https://rome.example/" };
const LONG = { text: `${"Rome is very old. ".repeat(60)}The end.`, title: "", source: "" };

describe("PassageList", () => {
  it("shows short passages and folds long ones", async () => {
    render(<PassageList passages={[SHORT, LONG]} />);
    expect(screen.getByText(SHORT.text)).toBeVisible();
    const whole = screen.getByText(/The end\.$/);
    expect(whole).not.toBeVisible();
    await userEvent.click(screen.getByText(beginningOf(LONG.text)));
    expect(whole).toBeVisible();
  });

  it("shows the first of many, and the rest on demand", async () => {
    const passages = Array.from({ length: 5 }, (_, place) => ({ ...SHORT, text: `Text ${place}.` }));
    render(<PassageList passages={passages} />);
    expect(screen.getByText("Text 2.")).toBeVisible();
    expect(screen.getByText("Text 3.")).not.toBeVisible();
    await userEvent.click(screen.getByText("2 more passages"));
    expect(screen.getByText("Text 4.")).toBeVisible();
  });

  it("takes markup for text, and links web addresses alone", () => {
    const hostile = { text: "<img src=x>", title: "<b>t</b>", source: "javascript:alert(1)" };
    render(<PassageList passages={[hostile, SHORT]} />);
    expect(screen.getByText("<img src=x>")).toBeVisible();
    expect(screen.getByText("javascript:alert(1)")).toBeVisible();
    const links = screen.getAllByRole("link");
    expect(links.map((link) => link.textContent)).toEqual([SHORT.source]);
    expect(links[0]).toHaveAttribute("rel", "noreferrer noopener");
  });
});

describe("beginningOf", () => {
  it("cuts between words, and long words within", () => {
    expect(beginningOf("one two")).toBe("one two");
    expect(beginningOf("word ".repeat(99))).toMatch(/word…$/);
    expect(beginningOf("x".repeat(999))).toBe(`${"x".repeat(160)}…`);
  });
});
