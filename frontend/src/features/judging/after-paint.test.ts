import { beforeEach, describe, expect, it, vi } from "vitest";
import { afterPaint } from "./after-paint";

describe("what waits for the next frame", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("runs once, after the frame", async () => {
    const act = vi.fn();
    const frame = vi.fn(() => expect(act).not.toHaveBeenCalled());
    afterPaint(act);
    requestAnimationFrame(frame);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(frame).toHaveBeenCalledOnce();
    expect(act).toHaveBeenCalledOnce();
  });

  it("runs in a page that paints nothing", async () => {
    const act = vi.fn();
    vi.stubGlobal("requestAnimationFrame", vi.fn());
    afterPaint(act);
    vi.unstubAllGlobals();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(act).toHaveBeenCalledOnce();
  });
});
