/** Seconds really spent: a hidden tab and more than a minute without a sign of life do not count. */

const IDLE_MS = 60_000;

export interface ActiveClock {
  /** The person did something. */
  readonly touch: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly seconds: () => number;
  readonly restart: (seconds?: number) => void;
}

export function createActiveClock(now: () => number = () => performance.now()): ActiveClock {
  let counted = 0;
  let since: number | null = now();
  const settle = () => {
    if (since !== null) counted += Math.min(now() - since, IDLE_MS);
  };
  return {
    touch: () => {
      if (since === null) return;
      settle();
      since = now();
    },
    pause: () => {
      settle();
      since = null;
    },
    resume: () => {
      since ??= now();
    },
    seconds: () => (counted + (since === null ? 0 : Math.min(now() - since, IDLE_MS))) / 1000,
    restart: (seconds = 0) => {
      counted = seconds * 1000;
      if (since !== null) since = now();
    },
  };
}
