import { afterEach, describe, expect, it, vi } from "vitest";
import { newKey, once } from "./actions";
import { errorFromReply, networkError } from "./error";

const failing = (error: unknown) => (key: string) => {
  keys.push(key);
  return Promise.reject(error as Error);
};
const keys: string[] = [];
const answering = (key: string) => {
  keys.push(key);
  return Promise.resolve(key);
};

afterEach(() => {
  keys.length = 0;
  vi.useRealTimers();
});

describe("an action", () => {
  it("is sent once while it is on its way, whoever asks", async () => {
    const write = vi.fn(answering);
    const replies = await Promise.all([once("double click", write), once("double click", write)]);
    expect(write).toHaveBeenCalledTimes(1);
    expect(new Set(replies).size).toBe(1);
  });

  it("is another one after its reply", async () => {
    await once("again", answering);
    await once("again", answering);
    expect(new Set(keys).size).toBe(2);
  });

  it("differs from others on their way at the same time", async () => {
    await Promise.all([once("one", answering), once("other", answering)]);
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    ["the connection is lost", networkError()],
    ["the server is away", errorFromReply(503, null)],
    ["a proxy has waited too long", errorFromReply(504, null)],
    ["the first one still runs", errorFromReply(409, { error: { code: "idempotency_key_running" } })],
  ])("keeps its key where %s", async (_, error) => {
    await expect(once("unheard", failing(error))).rejects.toBe(error);
    await once("unheard", answering);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    ["is refused", errorFromReply(400, null)],
    ["met a conflict", errorFromReply(409, { error: { code: "slug_taken" } })],
    ["has an unknown outcome", errorFromReply(409, { error: { code: "idempotency_outcome_unknown" } })],
    ["met a bug", errorFromReply(500, null)],
  ])("ends where it %s", async (_, error) => {
    await expect(once("ended", failing(error))).rejects.toBe(error);
    await once("ended", answering);
    expect(new Set(keys).size).toBe(2);
  });

  it("is meant anew after a while", async () => {
    vi.useFakeTimers();
    await expect(once("late", failing(networkError()))).rejects.toThrow();
    vi.advanceTimersByTime(11 * 60_000);
    await once("late", answering);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("a key", () => {
  it("is new each time, and needs no secure origin", () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
    vi.unstubAllGlobals();
  });
});
