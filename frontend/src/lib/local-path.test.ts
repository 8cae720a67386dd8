import { describe, expect, it } from "vitest";
import { localPath } from "./addresses";

describe("localPath", () => {
  it("keeps paths of this product", () => {
    expect(localPath("/nq301/leaderboard?questions=all")).toBe("/nq301/leaderboard?questions=all");
  });

  it.each([
    undefined,
    "https://elsewhere.example",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "javascript:alert(1)",
  ])("turns %s into the first page", (path) => {
    expect(localPath(path)).toBe("/");
  });
});
