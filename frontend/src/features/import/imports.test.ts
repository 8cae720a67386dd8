import { describe, expect, it } from "vitest";
import type { Import } from "../../api/schema";
import { askAgainAfter } from "./imports";

describe("asking about an import at work", () => {
  function query() {
    const state: { data?: Pick<Import, "state">; dataUpdatedAt: number } = { dataUpdatedAt: 0 };
    const found = { state };
    return (now: Import["state"], at: number) => {
      state.data = { state: now };
      state.dataUpdatedAt = at;
      return askAgainAfter(found);
    };
  }

  it("is soon at first, then ever later, and begins anew with other work", () => {
    const ask = query();
    expect(ask("checking", 5_000)).toBe(150);
    expect(ask("checking", 8_000)).toBe(300);
    expect(ask("checking", 60_000)).toBe(700);
    expect(ask("ready", 61_000)).toBe(false);
    expect(ask("applying", 90_000)).toBe(150);
    expect(ask("applying", 93_000)).toBe(300);
  });

  it("counts for each import by itself, and asks about none that is not known", () => {
    query()("applying", 1_000);
    expect(query()("applying", 100_000)).toBe(150);
    expect(askAgainAfter({ state: { dataUpdatedAt: 0 } })).toBe(false);
  });
});
