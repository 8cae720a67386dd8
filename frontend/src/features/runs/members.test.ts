import { describe, expect, it } from "vitest";
import { membersOf, withMember } from "./judge-options";

describe("the members of a jury", () => {
  it("stand in the order in which they were chosen", () => {
    expect(withMember(withMember("", "b"), "a")).toBe("b,a");
  });

  it("leave when chosen again", () => {
    expect(withMember("b,a", "b")).toBe("a");
    expect(membersOf(withMember("a", "a"))).toEqual([]);
  });
});
