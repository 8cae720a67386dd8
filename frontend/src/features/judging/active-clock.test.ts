import { describe, expect, it } from "vitest";
import { createActiveClock } from "./use-judging";

function clockAt() {
  const time = { now: 0 };
  return { time, clock: createActiveClock(() => time.now) };
}

describe("the active clock", () => {
  it("counts time between signs of life", () => {
    const { time, clock } = clockAt();
    time.now = 20_000;
    clock.touch();
    time.now = 45_000;
    expect(clock.seconds()).toBe(45);
  });

  it("stops after a minute without a sign of life", () => {
    const { time, clock } = clockAt();
    time.now = 600_000;
    clock.touch();
    time.now = 605_000;
    expect(clock.seconds()).toBe(65);
  });

  it("does not count a hidden tab", () => {
    const { time, clock } = clockAt();
    time.now = 10_000;
    clock.pause();
    time.now = 40_000;
    clock.touch();
    clock.resume();
    time.now = 42_000;
    expect(clock.seconds()).toBe(12);
  });

  it("goes on from the seconds of an earlier visit", () => {
    const { time, clock } = clockAt();
    time.now = 30_000;
    clock.restart(7);
    time.now = 31_000;
    expect(clock.seconds()).toBe(8);
  });
});
