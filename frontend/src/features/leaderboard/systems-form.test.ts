import { describe, expect, it } from "vitest";
import type { System } from "../../api/schema";
import { changeOf, describedAs, descriptionComplaints } from "./systems-form";

function system(description: System["description"]): System {
  return { id: "s1", name: "dpr", label: "DPR", group: "", description, prediction_count: 3 };
}

describe("the description of a system", () => {
  it("comes out as it went in, to the byte", () => {
    const description = { size_bytes: 452_984_833, retrieval_depth: 100, closed_book: false, track: "main" };
    expect(changeOf(describedAs(system(description)))).toEqual({ label: "DPR", description });
  });

  it("takes what is emptied for unknown", () => {
    const nothing = { size_bytes: null, retrieval_depth: null, closed_book: null, track: null };
    expect(changeOf(describedAs(system({}))).description).toEqual(nothing);
  });

  it("reads sizes in either unit", () => {
    const draft = { ...describedAs(system({})), size: "6", unit: "GiB" };
    expect(changeOf(draft).description?.size_bytes).toBe(6_442_450_944);
    expect(describedAs(system({ size_bytes: 6_442_450_944 }))).toMatchObject({ size: "6", unit: "GiB" });
  });

  it.each([
    ["size", "-1"],
    ["size", "much"],
    ["depth", "1.5"],
    ["label", " "],
  ])("refuses a %s of %s", (field, value) => {
    const draft = { ...describedAs(system({})), [field]: value };
    expect(Object.keys(descriptionComplaints(draft))).toEqual([field]);
  });
});
