import { describe, expect, it } from "vitest";
import { partNames } from "./parts-section";

describe("the names of parts by system", () => {
  it("are labels, with the name where two systems have one label", () => {
    const systems = [
      { name: "fid", label: "FiD" },
      { name: "gpt-a", label: "GPT" },
      { name: "gpt-b", label: "GPT" },
    ];
    expect(partNames(systems)).toEqual(["FiD", "GPT (gpt-a)", "GPT (gpt-b)"]);
  });
});
