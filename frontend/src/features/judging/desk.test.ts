import { beforeEach, describe, expect, it, vi } from "vitest";
import { newKey } from "../../api/actions";
import type { BlindSheet } from "../../api/schema";
import { ApiError, networkError } from "../../api/error";
import { makeSheet, makeWork } from "../../test/judging-cast";
import { createOutbox, Desk, type OutboxEntry, readDraft, savedWords, type SheetOperations } from "./desk";
import { changeAnswer, EMPTY_WORK, judgmentsOf } from "./sheet-work";

const FIRST = makeSheet("1");
const SECOND = makeSheet("2");
const THIRD = makeSheet("3");
const FOURTH = makeSheet("4");

function handedIn(sheet: BlindSheet): OutboxEntry {
  const work = changeAnswer(EMPTY_WORK, sheet.answers[0]?.id ?? "", { label: "correct" });
  const act = { kind: "submit", judgments: judgmentsOf(sheet, work), seconds: 4 } as const;
  return { key: newKey(), slug: "nq", at: performance.now(), attempted: false, sheet, work, act };
}

function refusal(kind: "conflict" | "invalid", message: string) {
  return new ApiError(kind, "refused", message, kind === "conflict" ? 409 : 400);
}

function setUp() {
  const operations = {
    next: vi.fn<SheetOperations["next"]>(() => Promise.resolve(makeWork([FIRST, SECOND, THIRD]))),
    submit: vi.fn<SheetOperations["submit"]>(() =>
      Promise.resolve(makeWork([SECOND, THIRD, FOURTH], { judged_questions: 1 })),
    ),
    skip: vi.fn(() => Promise.resolve(makeWork([SECOND, THIRD]))),
    undo: vi.fn(() => Promise.resolve(makeWork([FIRST, SECOND]))),
  };
  const outbox = createOutbox("rater", "nq");
  return { operations, outbox, desk: new Desk(operations, outbox) };
}

function sheetIds(desk: Desk) {
  return desk.snapshot().sheets.map((sheet) => sheet.id);
}

describe("the desk", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("shows the next sheet at once and takes the following one from the reply", async () => {
    const { desk } = setUp();
    await desk.open();
    desk.hand(handedIn(FIRST));
    expect(sheetIds(desk)).toEqual(["2", "3"]);
    expect(savedWords(desk.snapshot())).toBe("saving");
    await desk.flush();
    expect(sheetIds(desk)).toEqual(["2", "3", "4"]);
    expect(savedWords(desk.snapshot())).toBe("all saved");
  });

  it("sends nothing before the next sheet is seen", async () => {
    const { operations, outbox } = setUp();
    const acts: (() => void)[] = [];
    const desk = new Desk(operations, outbox, (act) => acts.push(act));
    await desk.open();
    desk.hand(handedIn(FIRST));
    expect(sheetIds(desk)).toEqual(["2", "3"]);
    expect(outbox.entries()).toHaveLength(1);
    expect(operations.submit).not.toHaveBeenCalled();
    acts.forEach((act) => act());
    expect(operations.submit).toHaveBeenCalledOnce();
  });

  it("keeps work while the connection is lost and sends it later under the same key", async () => {
    const { desk, operations, outbox } = setUp();
    await desk.open();
    operations.submit.mockRejectedValueOnce(networkError());
    const entry = handedIn(FIRST);
    desk.hand(entry);
    await desk.flush();
    expect(savedWords(desk.snapshot())).toContain("offline: 1 question saved in this browser");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(operations.submit.mock.calls.map(([, body]) => body.submission_key)).toEqual([
      entry.key,
      entry.key,
    ]);
    expect(outbox.entries()).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(operations.submit).toHaveBeenCalledTimes(2);
  });

  it("sends in order what an earlier visit left behind", async () => {
    const { desk, operations, outbox } = setUp();
    outbox.put(handedIn(FIRST));
    outbox.put({ ...handedIn(SECOND), at: performance.now() + 1 });
    await desk.open();
    expect(operations.submit.mock.calls.map(([sheetId]) => sheetId)).toEqual(["1", "2"]);
    expect(sheetIds(desk)).not.toContain("1");
  });

  it("does not hand a sheet out again while it waits to be sent", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    operations.submit.mockRejectedValue(networkError());
    desk.hand(handedIn(FIRST));
    await desk.flush();
    await desk.refill();
    expect(sheetIds(desk)).toEqual(["2", "3"]);
  });

  it("says a conflict in words and goes on", async () => {
    const { desk, operations, outbox } = setUp();
    await desk.open();
    operations.submit.mockRejectedValueOnce(refusal("conflict", "This sheet was handed in already."));
    desk.hand(handedIn(FIRST));
    await desk.flush();
    expect(desk.snapshot().notice?.text).toBe("This sheet was handed in already.");
    expect(outbox.entries()).toEqual([]);
  });

  it("keeps the labels of a sheet whose answers have changed", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    operations.submit.mockRejectedValueOnce(
      new ApiError("conflict", "sheet_changed", "It has changed.", 409),
    );
    const entry = handedIn(FIRST);
    desk.hand(entry);
    await desk.flush();
    expect(readDraft("1")).toEqual(entry.work);
  });

  it("says which version of a sheet it hands in, and takes a later one that comes back", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    const again = makeSheet("1", 3, { version: 2 });
    const outcome = { counted: 2, surplus: 0, message: "Kept.", came_back: true, unblinded: false };
    operations.submit.mockResolvedValueOnce({ ...makeWork([again, SECOND, THIRD]), outcome });
    desk.hand(handedIn(FIRST));
    await desk.flush();
    expect(operations.submit.mock.calls.map(([, body]) => body.version)).toEqual([1]);
    expect(desk.snapshot().notice?.text).toContain("received this question again with different answers");
    expect(desk.snapshot().sheets.find((sheet) => sheet.id === "1")).toEqual(again);
  });

  it("keeps work while nobody is signed in", async () => {
    const { desk, operations, outbox } = setUp();
    await desk.open();
    operations.submit.mockRejectedValue(new ApiError("signed_out", "not_authenticated", "Signed out.", 403));
    desk.hand(handedIn(FIRST));
    await desk.flush();
    expect(savedWords(desk.snapshot())).toBe("signed out: 1 question saved in this browser");
    expect(outbox.entries()).toHaveLength(1);
  });

  it("takes sheets for a while without a network behind the scenes", async () => {
    const { desk, operations } = setUp();
    const all = Array.from({ length: 30 }, (_, index) => makeSheet(String(index)));
    operations.next.mockImplementation((ahead: number) =>
      Promise.resolve(makeWork(all.slice(0, ahead), { left_questions: 30 * 3 })),
    );
    await desk.open();
    await vi.waitFor(() => expect(sheetIds(desk)).toHaveLength(21));
    expect(operations.next.mock.calls.map(([ahead]) => ahead)).toEqual([3, 9, 15, 21]);
  });

  it("tells of as many questions as at first, whatever others take meanwhile", async () => {
    const { desk, operations } = setUp();
    operations.next.mockResolvedValueOnce(makeWork([FIRST, SECOND], { left_questions: 90 }));
    await desk.open();
    for (const [judged, left] of [
      [1, 40],
      [2, 97],
    ] as const) {
      const progress = { judged_questions: judged, left_questions: left };
      operations.submit.mockResolvedValueOnce(makeWork([SECOND], progress));
      desk.hand(handedIn(judged === 1 ? FIRST : SECOND));
      await desk.flush();
      expect(desk.snapshot().outlook?.total).toBe(90);
    }
  });

  it("does not take back in what was handed in while a reply with it was on its way", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    let arrive: (work: ReturnType<typeof makeWork>) => void = () => undefined;
    operations.next.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
    operations.submit.mockResolvedValueOnce(makeWork([SECOND, THIRD], { left_questions: 90 }));
    desk.hand(handedIn(FIRST));
    await desk.flush();
    await vi.waitFor(() => expect(operations.next).toHaveBeenCalledTimes(2));
    desk.hand(handedIn(SECOND));
    await desk.flush();
    arrive(makeWork([SECOND, THIRD, FOURTH], { left_questions: 90 }));
    await vi.waitFor(() => expect(sheetIds(desk)).toContain("4"));
    expect(sheetIds(desk)).not.toContain("2");
  });

  it("goes on with sheets whose time ran out while there is no connection", async () => {
    const { desk, operations } = setUp();
    const expired = makeSheet("2", 2, { lease_expires_at: "2000-01-01T00:00:00Z" });
    operations.next.mockResolvedValueOnce(makeWork([FIRST, expired]));
    await desk.open();
    operations.submit.mockRejectedValue(networkError());
    desk.hand(handedIn(FIRST));
    await desk.returnToWork(new Date());
    expect(sheetIds(desk)).toEqual(["2"]);
  });

  it("says that the connection is lost before anything was tried", async () => {
    const { desk } = setUp();
    await desk.open();
    desk.loseConnection();
    expect(savedWords(desk.snapshot())).toBe("offline: keep working; your work is saved in this browser");
    await desk.returnToWork(new Date());
    expect(savedWords(desk.snapshot())).toBe("all saved");
  });

  it("brings a sheet back with its draft when the server finds it incomplete", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    operations.submit.mockRejectedValueOnce(refusal("invalid", "One answer has no label."));
    const entry = handedIn(FIRST);
    desk.hand(entry);
    await desk.flush();
    expect(sheetIds(desk)[0]).toBe("1");
    expect(readDraft("1")).toEqual(entry.work);
  });

  it("takes back work that was never sent without asking the server", async () => {
    const { desk, operations } = setUp();
    await desk.open();
    operations.submit.mockRejectedValue(networkError());
    desk.hand(handedIn(FIRST));
    await desk.flush();
    const second = handedIn(SECOND);
    desk.hand({ ...second, at: performance.now() + 1 });
    await desk.undo();
    expect(operations.undo).not.toHaveBeenCalled();
    expect(sheetIds(desk)[0]).toBe("2");
    expect(readDraft("2")).toEqual(second.work);
  });

  it("does not take back what may be with the server already", async () => {
    const { desk, operations, outbox } = setUp();
    await desk.open();
    operations.submit.mockRejectedValue(networkError());
    desk.hand(handedIn(FIRST));
    await desk.flush();
    await desk.undo();
    expect(outbox.entries()).toHaveLength(1);
    expect(desk.snapshot().notice?.tone).toBe("error");
  });

  it("puts the sheet taken back in front", async () => {
    const { desk } = setUp();
    await desk.open();
    desk.hand(handedIn(FIRST));
    await desk.flush();
    await desk.undo();
    expect(sheetIds(desk)).toEqual(["1", "2"]);
  });

  it("asks again for prefetched sheets whose time ran out while the person was away", async () => {
    const { desk, operations } = setUp();
    const expired = makeSheet("2", 2, { lease_expires_at: "2000-01-01T00:00:00Z" });
    operations.next.mockResolvedValueOnce(makeWork([FIRST, expired]));
    await desk.open();
    await desk.returnToWork(new Date());
    expect(operations.next).toHaveBeenCalledTimes(2);
    expect(desk.snapshot().sheets[1]).toBe(SECOND);
  });
});
