import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { VerdictReasons } from "./verdict-reasons";

const REASON = { about: "Jonas Salk", missing: [] };

describe("VerdictReasons", () => {
  it("says each ground and marks what it saw, counting characters as the server does", () => {
    const answer = "🎉 Dr. Salk, in 1963";
    const { container } = render(
      <VerdictReasons
        answer={answer}
        reasons={[
          { ...REASON, ground: "overlap", missing: ["jonas"], spans: [{ start: 6, end: 10 }] },
          { ...REASON, ground: "other_number", about: "1955", spans: [{ start: 15, end: 19 }] },
        ]}
      />,
    );
    expect(screen.getByText(/but not these: jonas/)).toBeTruthy();
    expect(screen.getByText(/gold answer “1955” and the answer state different numbers/)).toBeTruthy();
    expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["Salk", "1963"]);
    expect(container.querySelector("q")?.textContent).toBe(answer);
  });

  it("shows of a long answer what lies around the marks", () => {
    const answer = `${"a".repeat(200)} Salk ${"b".repeat(200)}`;
    const { container } = render(
      <VerdictReasons
        answer={answer}
        reasons={[{ ...REASON, ground: "like_accepted", spans: [{ start: 201, end: 205 }] }]}
      />,
    );
    const shown = container.querySelector("q")?.textContent ?? "";
    expect(shown).toMatch(/^…a+ Salk b+…$/);
    expect(shown.length).toBeLessThan(180);
  });

  it("shows nothing where a judge gives no reasons", () => {
    const { container } = render(<VerdictReasons answer="x" reasons={[]} />);
    expect(container.innerHTML).toBe("");
  });
});
