import { QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, del, keyOf, post, read } from "./client";

const slug = "nq";

function answerWith(body: unknown) {
  const asked = vi.fn<(request: Request) => Promise<Response>>(() => Promise.resolve(Response.json(body)));
  vi.stubGlobal("fetch", asked);
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe("a read", () => {
  it("is kept under its address, names in their places, and its query", () => {
    expect(read("/api/projects/{slug}/gold", { slug }, { cursor: "c2" }).queryKey).toEqual([
      "projects",
      "nq",
      "gold",
      { cursor: "c2" },
    ]);
    expect(read("/api/projects").queryKey).toEqual(["projects", {}]);
  });

  it("asks its address", async () => {
    const asked = answerWith([]);
    const found = await new QueryClient().fetchQuery(
      read("/api/projects/{slug}/gold", { slug: "a b" }, { cursor: "c2" }),
    );
    expect(found).toEqual([]);
    expect(asked.mock.lastCall?.[0].url).toMatch(/\/api\/projects\/a%20b\/gold\?cursor=c2$/);
  });

  it("is thrown away with all that lies under it, and not with what lies beside it", () => {
    const client = new QueryClient();
    const list = read("/api/projects/{slug}/imports", { slug });
    const one = read("/api/projects/{slug}/imports/{id}", { slug, id: "7" });
    const formats = read("/api/projects/{slug}/import-formats", { slug });
    for (const { queryKey } of [list, one, formats]) client.setQueryData<unknown>(queryKey, []);
    const isStale = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      client.getQueryState(queryKey)?.isInvalidated;
    void client.invalidateQueries({ queryKey: list.queryKey });
    expect([list, one, formats].map(isStale)).toEqual([true, false, false]);
    void client.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/imports", { slug }) });
    expect([list, one, formats].map(isStale)).toEqual([true, true, false]);
    void client.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    expect([list, one, formats].map(isStale)).toEqual([true, true, true]);
  });

  it("that sends what it asks about is kept under that, too", () => {
    const { queryKey } = ask(
      "/api/projects/{slug}/protocol/guidelines-preview",
      { slug },
      { text: "Judge." },
    );
    expect(queryKey).toEqual(["projects", "nq", "protocol", "guidelines-preview", { text: "Judge." }]);
  });
});

describe("a write", () => {
  it("sends its body to its address", async () => {
    const asked = answerWith({ id: "1" });
    await post("/api/projects/{slug}/exports", { slug }, { format: "judgments" });
    const [request] = asked.mock.lastCall ?? [];
    expect([request?.method, await request?.json()]).toEqual(["POST", { format: "judgments" }]);
    expect(request?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("goes once for a double click, and with the same key after a lost connection", async () => {
    const keys: (string | null)[] = [];
    const asked = vi.fn<(request: Request) => Promise<Response>>((request) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return keys.length === 1 ? Promise.reject(new TypeError("lost")) : Promise.resolve(Response.json({}));
    });
    vi.stubGlobal("fetch", asked);
    const click = () => post("/api/projects/{slug}/exports", { slug }, { format: "votes-csv" });
    const clicks = [click(), click()];
    for (const each of clicks) await expect(each).rejects.toThrow("Cannot reach Assay");
    expect(keys).toHaveLength(1);
    await click();
    expect(keys[1]).toBe(keys[0]);
  });

  it("without a body sends none", async () => {
    const asked = answerWith(null);
    await del("/api/projects/{slug}/imports/{id}", { slug, id: "7" });
    const [request] = asked.mock.lastCall ?? [];
    expect([request?.method, await request?.text()]).toEqual(["DELETE", ""]);
  });
});
