/** Texts in which the first mention of a term explains itself. */
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { TermsIn, withTerms } from "./term";

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
    const told = withTerms(["No term.", "An audit.", "An audit, κ."], terms).map((said) => {
      const { container, unmount } = render(said);
      const words = screen.queryAllByRole("button").map(({ textContent }) => textContent);
      const text = container.textContent;
      unmount();
      return { text, words };
    });
    expect(told).toEqual([
      { text: "No term.", words: [] },
      { text: "An audit.", words: ["audit"] },
      { text: "An audit, κ.", words: ["κ"] },
    ]);
  });
});
