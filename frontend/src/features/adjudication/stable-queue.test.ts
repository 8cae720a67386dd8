import { describe, expect, it } from "vitest";
import type { QueueItem } from "../../api/schema";
import {
  type Line,
  markDecided,
  markOpen,
  markSentBack,
  mergeQueue,
  neighbor,
  nextOpen,
  openCount,
} from "./queue";

function item(id: string): QueueItem {
  return {
    id,
    question: id,
    answer: id,
    reason: "disputed",
    votes: [],
    waiting_since: null,
    flags: [],
    decided: null,
    number: 0,
    systems: null,
  };
}

const items = (ids: string) => [...ids].map(item);
const lines = (ids: string) => mergeQueue([], items(ids));
const picture = (list: readonly Line[]) => list.map((line) => `${line.item.id}:${line.state}`).join(" ");

describe("the queue under the hand", () => {
  it("keeps every line in its place when the server answers in another order", () => {
    expect(picture(mergeQueue(lines("abc"), items("cab")))).toBe("a:open b:open c:open");
  });

  it("adds what is new at the end", () => {
    expect(picture(mergeQueue(lines("bc"), items("abc")))).toBe("b:open c:open a:open");
  });

  it("keeps a decided line where it was, after the server has dropped it", () => {
    const decided = markDecided(lines("abc"), "b", "correct");
    expect(picture(mergeQueue(decided, items("ac")))).toBe("a:open b:decided c:open");
  });

  it("keeps a line that was sent back in its place, and goes on behind it", () => {
    const after = mergeQueue(markSentBack(lines("abc"), "b"), items("ac"));
    expect(picture(after)).toBe("a:open b:sent-back c:open");
    expect([nextOpen(after, "b"), openCount(after)]).toEqual(["c", 2]);
    expect(picture(markOpen(after, "b"))).toBe("a:open b:open c:open");
  });

  it("keeps a decided line decided while an older reply still lists it", () => {
    const decided = markDecided(lines("ab"), "a", "correct");
    expect(picture(mergeQueue(decided, items("ab")))).toBe("a:decided b:open");
  });

  it("says what somebody else settled, and opens it when it comes back", () => {
    const settled = mergeQueue(lines("ab"), items("b"));
    expect(picture(settled)).toBe("a:elsewhere b:open");
    expect(picture(mergeQueue(settled, items("ab")))).toBe("a:open b:open");
  });

  it("opens a line again that was taken back", () => {
    expect(picture(markOpen(markDecided(lines("a"), "a", "correct"), "a"))).toBe("a:open");
  });

  it("counts what is open", () => {
    expect(openCount(markDecided(lines("abc"), "a", "correct"))).toBe(2);
  });
});

describe("moving on", () => {
  it("goes to the next open answer, going round", () => {
    const list = markDecided(lines("abc"), "b", "correct");
    expect(nextOpen(list, "a")).toBe("c");
    expect(nextOpen(list, "c")).toBe("a");
  });

  it("stays when nothing is open", () => {
    expect(nextOpen(markDecided(lines("a"), "a", "correct"), "a")).toBeNull();
  });

  it("stops at the ends when stepping", () => {
    expect(neighbor(lines("abc"), "a", -1)).toBe("a");
    expect(neighbor(lines("abc"), "a", 1)).toBe("b");
    expect(neighbor(lines("abc"), "c", 1)).toBe("c");
  });
});
