import { describe, expect, it } from "vitest";
import { neighborOf, nextOpen } from "./round-form";

const ITEMS = ["a", "b", "c"].map((id) => ({
  id,
  question: "",
  answer: null,
  tags: [],
  is_done: id === "b",
}));

describe("a round's items", () => {
  it("go on with what is open, from the start again at the end", () => {
    expect(nextOpen(ITEMS, "a")?.id).toBe("c");
    expect(nextOpen(ITEMS, "c")?.id).toBe("a");
  });

  it("end when all are tagged", () => {
    expect(
      nextOpen(
        ITEMS.map((item) => ({ ...item, is_done: true })),
        "a",
      ),
    ).toBeNull();
  });

  it("have neighbors whether tagged or not", () => {
    expect(neighborOf(ITEMS, "a", 1)?.id).toBe("b");
    expect(neighborOf(ITEMS, "a", -1)).toBeNull();
  });
});
