/** Texts in which the first mention of a term explains itself. */
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { termsByText, TermsIn } from "./term";

describe("terms in a text", () => {
  it("are explained where they are mentioned first, as whole words", () => {
    const text = "Verdicts audited: an audit, κ, and an audit again (κ 0.5).";
    const { container } = render(<TermsIn text={text} terms={{ κ: "cohens-κ", audit: "audit" }} />);
    expect(container).toHaveTextContent(text);
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["audit", "κ"]);
    expect(container.textContent).toMatch(/^Verdicts audited: an audit/);
  });

  it("are explained once in several texts", () => {
    const terms = { κ: "cohens-κ", audit: "audit" } as const;
    expect(termsByText(["No term.", "An audit.", "An audit, κ."], terms)).toEqual([
      {},
      { audit: "audit" },
      { κ: "cohens-κ" },
    ]);
  });
});
