import { describe, expect, it } from "vitest";
import { PROGRESS } from "../../test/judging-cast";
import { nextOutlook, type Outlook, placeIn, secondsLeft } from "./outlook";

function told(judged: number, left: number, median: number | null = null, inPilot = false) {
  const counts = { judged_questions: judged, left_questions: left, median_seconds: median };
  return { progress: { ...PROGRESS, ...counts }, in_pilot: inPilot };
}

function after(...replies: readonly ReturnType<typeof told>[]): Outlook {
  const last = replies.reduce<Outlook | null>(nextOutlook, null);
  if (!last) throw new Error("There is no reply.");
  return last;
}

describe("the total", () => {
  it("is what it was at first, whatever others take or leave", () => {
    for (const left of [1, 2, 90, 99, 120, 400]) expect(after(told(0, 100), told(1, left)).total).toBe(100);
  });

  it("grows only where the annotator has come to its end and there is more", () => {
    expect(after(told(0, 3), told(3, 0)).total).toBe(3);
    expect(after(told(0, 3), told(2, 5)).total).toBe(3);
    expect(after(told(0, 3), told(3, 2)).total).toBe(5);
    expect(after(told(4, 0), told(4, 6)).total).toBe(10);
  });

  it("is another in a pilot and after it", () => {
    expect(after(told(0, 10, null, true), told(10, 0, null, true), told(0, 50)).total).toBe(50);
  });

  it("does not move when the last question is taken back", () => {
    expect(after(told(0, 3), told(3, 0), told(2, 1)).total).toBe(3);
  });
});

describe("the place", () => {
  it("counts sheets on their way, and never passes the total", () => {
    const { progress } = told(2, 8);
    const outlook = after(told(0, 4));
    expect(placeIn(outlook, progress, 0)).toBe(3);
    expect(placeIn(outlook, progress, 1)).toBe(4);
    expect(placeIn(outlook, progress, 5)).toBe(4);
  });
});

describe("the time left", () => {
  const seconds = (outlook: Outlook, reply: ReturnType<typeof told>, waiting = 0) =>
    secondsLeft(outlook, reply.progress, waiting);

  it("is not told before enough questions show the annotator's pace", () => {
    for (const judged of [1, 2, 4]) expect(after(told(0, 100), told(judged, 99, 10)).pace).toBeNull();
    expect(after(told(0, 100), told(5, 95, 10)).pace).toBe(10);
    expect(seconds(after(told(5, 95)), told(5, 95))).toBeNull();
  });

  it("goes down a question at a time, while pace and questions left move a little", () => {
    const outlook = after(told(5, 95, 10), told(6, 60, 12.5), told(7, 93, 8));
    expect(seconds(outlook, told(7, 93, 8))).toBe(930);
    expect(seconds(outlook, told(7, 93, 8), 1)).toBe(920);
    expect(seconds(outlook, told(8, 12, 8))).toBe(920);
  });

  it("follows an annotator who has become faster or slower", () => {
    expect(after(told(5, 95, 10), told(6, 94, 13)).pace).toBe(13);
    expect(after(told(5, 95, 10), told(6, 94, 5)).pace).toBe(5);
    // One who takes a sheet back is as fast as before.
    expect(after(told(5, 95, 10), told(4, 96, null)).pace).toBe(10);
  });
});
